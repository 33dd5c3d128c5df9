"""The running server against its own OpenAPI document, as validators see both that are not ours.

`AGON_BIN` names the program. `scripts/setup` installs the validators, and `scripts/test` runs this file with them.
"""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest
import urllib.error
import urllib.parse
import urllib.request

from openapi_schema_validator import OAS31Validator
from openapi_spec_validator import OpenAPIV31SpecValidator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

# A game that is over.
SAMPLE = pathlib.Path(__file__).parents[4] / "games/othello/data/sample.txt"
ADMIN = "an-admin-token-for-this-test"
VISITOR = "a-visitors-token-for-this-test"
STRANGER = "a-strangers-token-for-this-test"

TOURNAMENT = """
name = "small"
seed = 1
[[players]]
name = "first"
command = ["%s", "engine", "--protocol", "jsonl", "--bot", "random"]
[[players]]
name = "second"
bot = "greedy"
[[rounds]]
game = "othello"
options = "size=4"
"""

#: By what the document is called where schemas refer to it.
DOCUMENT = "urn:agon:openapi"


class Answer:
    def __init__(self, status, headers, body):
        self.status = status
        self.media_type = headers.get_content_type() if body else None
        self.body = body

    def json(self):
        return json.loads(self.body)


class Server:
    """A server with a tournament to show, on a port and in a folder of its own."""

    def __init__(self, folder):
        program = os.environ["AGON_BIN"]
        tournament, results = os.path.join(folder, "small.toml"), os.path.join(folder, "results")
        with open(tournament, "w", encoding="utf-8") as file:
            file.write(TOURNAMENT % program)
        subprocess.run([program, "arena", "run", tournament, "--out", results], check=True, capture_output=True)
        command = [program, "serve", "--listen", "127.0.0.1:0", "--data", os.path.join(folder, "data"), "--open", "false"]
        command += ["--arena", results, "--arena-uploads", "true", "--messages-per-second", "1000"]
        environment = {**os.environ, "AGON_ADMIN_TOKEN": ADMIN}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)
        for line in self.process.stdout:
            if line.startswith("Agon is at "):
                self.address = line.split()[-1]
                return
        raise RuntimeError("the server did not start")

    def stop(self):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()

    def ask(self, method, path, body=None, token=VISITOR):
        request = urllib.request.Request(self.address + path, method=method, data=body)
        request.add_header("Authorization", "Bearer " + token)
        try:
            with urllib.request.urlopen(request) as answer:
                return Answer(answer.status, answer.headers, answer.read())
        except urllib.error.HTTPError as answer:
            with answer:
                return Answer(answer.code, answer.headers, answer.read())


class OpenApi(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.server = Server(folder.name)
        cls.addClassCleanup(cls.server.stop)
        cls.document = cls.server.ask("GET", "/api").json()
        cls.registry = Registry().with_resource(DOCUMENT, DRAFT202012.create_resource(cls.document))
        cls.lobby = cls.opened("/api/v1/lobbies", cls.new_lobby("The first"))
        cls.game = cls.opened("/api/v1/games", {"game": "othello", "seats": [{"occupant": "human"}] * 2})
        cls.tournament = cls.server.ask("GET", "/api/v1/arena").json()["tournaments"][0]["id"]
        cls.study = cls.server.ask("GET", "/api/v1/studies").json()["studies"][0]["id"]

    @staticmethod
    def new_lobby(name):
        return {"name": name, "player": "Anna", "game": "othello", "seats": [{"occupant": "human"}, {"occupant": "open"}]}

    @classmethod
    def opened(cls, path, body):
        answer = cls.server.ask("POST", path, json.dumps(body).encode())
        if answer.status != 201:
            raise RuntimeError("%s: %r" % (path, answer.body))
        return answer.json()["id"]

    def faults(self, value, *place):
        """What is wrong with a value by the schema at this place of the document."""
        pointer = "".join("/" + urllib.parse.quote(part.replace("~", "~0").replace("/", "~1")) for part in place)
        validator = OAS31Validator({"$ref": DOCUMENT + "#" + pointer}, registry=self.registry)
        return ["%s: %s" % (error.json_path, error.message[:300]) for error in validator.iter_errors(value)]

    def check(self, method, path, expected, body=None, query="", token=VISITOR, **parameters):
        """Calls an operation by its path in the document, and holds the answer against its description.

        A body is JSON unless it consists of bytes. What is refused need not be as the document wants it.
        """
        operation = self.document["paths"][path][method]
        is_json = body is not None and not isinstance(body, bytes)
        if is_json and expected < 300:
            place = ("paths", path, method, "requestBody", "content", "application/json", "schema")
            self.assertEqual(self.faults(body, *place), [], "what %s %s is sent" % (method, path))
        url = path.format(**{name: urllib.parse.quote(value) for name, value in parameters.items()}) + query
        data = json.dumps(body).encode() if is_json else body
        answer = self.server.ask(method.upper(), url, data, token)
        what = "%s %s" % (method, url)
        self.assertEqual(answer.status, expected, "%s: %r" % (what, answer.body[:300]))
        responses = operation["responses"]
        status = str(expected) if expected < 300 else "default"
        self.assertIn(status, responses, what)
        content = responses[status].get("content", {})
        if not content:
            self.assertEqual(answer.body, b"", what)
            return answer
        self.assertIn(answer.media_type, content, what)
        if answer.media_type == "application/json" and "schema" in content["application/json"]:
            place = ("paths", path, method, "responses", status, "content", "application/json", "schema")
            self.assertEqual(self.faults(answer.json(), *place), [], what)
        return answer

    def test_the_document_is_valid(self):
        self.assertTrue(self.document["openapi"].startswith("3.1."))
        self.assertEqual([error.message for error in OpenAPIV31SpecValidator(self.document).iter_errors()], [])

    def test_schemas_are_in_the_dialect_of_the_version(self):
        # Validators pass over keywords that they do not know, and so over all that OpenAPI 3.0 had of its own.
        def words(value):
            if isinstance(value, dict):
                yield from value
                value = list(value.values())
            for part in value if isinstance(value, list) else []:
                yield from words(part)

        self.assertNotIn("nullable", set(words(self.document)))
        for name, schema in self.document["components"]["schemas"].items():
            with self.subTest(name):
                OAS31Validator.check_schema(schema)

    def test_a_wrong_answer_is_noticed(self):
        place = ("paths", "/api/v1/games", "post", "responses", "201", "content", "application/json", "schema")
        self.assertEqual(self.faults({"id": "aaaaaaaaaaaa"}, *place), [])
        self.assertNotEqual(self.faults({}, *place), [])
        self.assertNotEqual(self.faults({"id": 3}, *place), [])

    def test_every_operation_answers_as_described(self):
        record = self.server.ask("GET", "/api/v1/games/%s/record" % self.game).body
        state = self.server.ask("GET", "/api/v1/lobbies/%s" % self.lobby).json()
        keys = self.server.ask("GET", "/api/v1/arena/%s/keys" % self.tournament, token=ADMIN)
        called = set()

        def call(method, path, expected, *arguments, **more):
            called.add((method, path))
            return self.check(method, path, expected, *arguments, **more)

        call("get", "/api", 200)
        call("get", "/healthz", 200)
        call("get", "/api/v1/catalogue", 200)
        for game in (info["game"] for info in self.server.ask("GET", "/api/v1/catalogue").json()):
            call("get", "/api/v1/catalogue/{game}", 200, game=game)
            call("get", "/api/v1/catalogue/{game}/rules", 200, game=game)
            for language in ("en", "he"):
                call("get", "/api/v1/messages/{language}/{game}", 200, game=game, language=language)
            bots = ["random"] * len(self.server.ask("GET", "/api/v1/catalogue/" + game).json()["seats"])
            table = {"game": game, "seats": [{"occupant": bot} for bot in bots], "pace": 0}
            # Bots play in a few games of one visitor at a time only, so every game has a visitor of its own.
            opened = call("post", "/api/v1/games", 201, table, token=VISITOR + game).json()["id"]
            call("get", "/api/v1/games/{id}", 200, id=opened)
            call("get", "/api/v1/games/{id}/plies", 200, id=opened, query="?from=0&to=2")
            call("delete", "/api/v1/games/{id}", 204, token=VISITOR + game, id=opened)
            call("post", "/api/v1/positions", 200, {"game": game})
        call("get", "/api/v1/games", 200, query="?mine=true")
        call("get", "/api/v1/games", 200, query="?watch=true&skip=1")
        call("get", "/api/v1/games/{id}/record", 200, id=self.game)
        call("post", "/api/v1/records", 201, record)
        finished = call("post", "/api/v1/records", 201, SAMPLE.read_bytes()).json()["id"]
        call("get", "/api/v1/games/{id}/review", 200, id=finished, query="?from=59")
        call("post", "/api/v1/positions", 200, {"game": "othello", "moves": ["d3"]})
        call("post", "/api/v1/analysis", 200, {"game": "othello", "bot": "greedy", "millis": 10})
        call("post", "/api/v1/tree", 200, {"game": "othello", "depth": 2})
        call("post", "/api/v1/features", 200, {"game": "othello", "evaluation": "features"})
        call("put", "/api/v1/me", 200, {"name": "Anna"})
        call("get", "/api/v1/me", 200)
        call("get", "/api/v1/me/statistics/{game}", 200, game="2048")
        call("post", "/api/v1/lobbies", 201, self.new_lobby("The second"))
        call("get", "/api/v1/lobbies", 200, query="?game=othello")
        call("get", "/api/v1/lobbies/{id}", 200, id=self.lobby)
        call("get", "/api/v1/invitations/{key}", 200, key=state["key"])
        call("post", "/api/v1/invitations/{key}", 200, key=state["key"], token=STRANGER)
        call("get", "/api/v1/qr", 200, query="?text=http%3A%2F%2Fagon.example%2Fjoin%2Fk")
        call("get", "/api/v1/arena", 200)
        call("get", "/api/v1/arena/{id}", 200, id=self.tournament)
        call("get", "/api/v1/arena/{id}/games", 200, id=self.tournament, query="?round=1&player=first")
        for name in ("report.html", "report.txt", "results.json", "table.csv"):
            call("get", "/api/v1/arena/{id}/files/{name}", 200, id=self.tournament, name=name)
        call("get", "/api/v1/arena/{id}/files/games/{record}", 200, id=self.tournament, record="00001.txt")
        call("get", "/api/v1/arena/{id}/keys", keys.status, id=self.tournament, token=ADMIN)
        key = keys.json()["keys"][0]["key"]
        call("get", "/api/v1/arena/{id}/authors/{key}", 200, id=self.tournament, key=key)
        call("get", "/api/v1/arena/{id}/authors/{key}/logs/{number}", 200, id=self.tournament, key=key, number="1")
        call("get", "/api/v1/arena/desk", 200, token=ADMIN)
        call(
            "put", "/api/v1/arena/agents/{name}", 200, b"import agon_agent", name="Dana", query="?interpreter=python3", token=ADMIN
        )
        call("delete", "/api/v1/arena/agents/{name}", 204, name="Dana", token=ADMIN)
        call("get", "/api/v1/studies", 200)
        call("get", "/api/v1/studies/{id}", 200, id=self.study)
        for name in ("report.html", "summary.txt", "results.json"):
            call("get", "/api/v1/studies/{id}/files/{name}", 200, id=self.study, name=name)
        described = {(method, path) for path, methods in self.document["paths"].items() for method in methods}
        # These need a machine that can enforce every limit of the sandbox; what they refuse is looked at below.
        sandboxed = {
            ("post", "/api/v1/arena"),
            ("post", "/api/v1/arena/{id}/stop"),
            ("post", "/api/v1/arena/{id}/resume"),
        }
        self.assertEqual(described - called, sandboxed)

    def test_refusals_are_as_described(self):
        nobody = "aaaaaaaaaaaa"
        self.check("get", "/api/v1/catalogue/{game}", 404, game="chess")
        self.check("get", "/api/v1/catalogue/{game}/rules", 404, game="chess")
        self.check("get", "/api/v1/catalogue/{game}", 422, game="othello", query="?options=size%3D3")
        self.check("get", "/api/v1/messages/{language}/{game}", 404, language="xx", game="othello")
        self.check("get", "/api/v1/games/{id}", 404, id=nobody)
        self.check("get", "/api/v1/games/{id}/record", 404, id=nobody)
        self.check("get", "/api/v1/games/{id}/plies", 404, id=nobody)
        for body in ({}, [], {"game": "othello", "seats": 3}, {"game": "othello", "options": "size=3", "seats": []}, b"{", b"\xff"):
            self.check("post", "/api/v1/games", 422, body)
        self.check("post", "/api/v1/games", 404, {"game": "chess", "seats": []})
        self.check("post", "/api/v1/records", 422, b"no record")
        self.check("post", "/api/v1/positions", 422, {"game": "othello", "position": "8/8"})
        self.check("post", "/api/v1/positions", 422, {"game": "othello", "moves": ["a1"]})
        self.check("post", "/api/v1/analysis", 422, {"game": "othello", "bot": "nobody"})
        self.check("post", "/api/v1/tree", 422, {"game": "othello", "depth": -1})
        self.check("post", "/api/v1/features", 422, {"game": "othello", "evaluation": "nothing"})
        self.check("put", "/api/v1/me", 422, {"name": 3})
        self.check("post", "/api/v1/lobbies", 422, {"name": "x"})
        self.check("get", "/api/v1/lobbies/{id}", 404, id=nobody)
        self.check("get", "/api/v1/invitations/{key}", 404, key=nobody)
        self.check("post", "/api/v1/invitations/{key}", 404, key=nobody)
        self.check("get", "/api/v1/qr", 422)
        self.check("get", "/api/v1/arena/{id}", 404, id=nobody)
        self.check("get", "/api/v1/arena/{id}/files/{name}", 404, id=self.tournament, name="secret")
        self.check("get", "/api/v1/arena/{id}/keys", 403, id=self.tournament)
        self.check("get", "/api/v1/arena/{id}/authors/{key}", 404, id=self.tournament, key=nobody)
        self.check("get", "/api/v1/arena/{id}/authors/{key}/logs/{number}", 404, id=self.tournament, key=nobody, number="1")
        self.check("get", "/api/v1/arena/desk", 403)
        self.check("post", "/api/v1/arena", 403, {})
        self.check("post", "/api/v1/arena", 422, {}, token=ADMIN)
        self.check("post", "/api/v1/arena/{id}/stop", 404, id=nobody, token=ADMIN)
        self.check("post", "/api/v1/arena/{id}/resume", 404, id=nobody, token=ADMIN)
        self.check("delete", "/api/v1/arena/agents/{name}", 404, name="Nobody", token=ADMIN)
        self.check("get", "/api/v1/studies/{id}", 404, id=nobody)


if __name__ == "__main__":
    unittest.main()
