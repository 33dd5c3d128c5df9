//! Whether JSON is as its schema says: the part of JSON Schema that ours use.

use serde_json::Value;

/// Whether `value` is as `schema` of the OpenAPI document says.
///
/// # Errors
/// What is wrong, and where.
pub(crate) fn fits(document: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    at(document, schema, value).map_err(|(path, fault)| format!("at {path:?}: {fault}"))
}

type Fault = (String, String);

fn at(document: &Value, schema: &Value, value: &Value) -> Result<(), Fault> {
    let fail = |fault: String| Err((String::new(), fault));
    let Some(schema) = schema.as_object() else { return Ok(()) };
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        let target = document.pointer(reference.trim_start_matches('#'));
        at(document, target.unwrap_or_else(|| panic!("{reference} leads nowhere")), value)?;
    }
    for part in schema.get("allOf").and_then(Value::as_array).into_iter().flatten() {
        at(document, part, value)?;
    }
    for key in ["anyOf", "oneOf"] {
        if let Some(parts) = schema.get(key).and_then(Value::as_array) {
            let faults: Vec<Fault> =
                parts.iter().filter_map(|part| at(document, part, value).err()).collect();
            if faults.len() == parts.len() {
                return fail(format!("{value} is none of {key}: {faults:?}"));
            }
        }
    }
    if let Some(known) = schema.get("enum").and_then(Value::as_array)
        && !known.contains(value)
    {
        return fail(format!("{value} is none of {known:?}"));
    }
    if schema.get("const").is_some_and(|known| known != value) {
        return fail(format!("{value} is not {:?}", schema["const"]));
    }
    let types: Vec<&str> = match schema.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if !types.is_empty() && !types.iter().any(|name| is_of(name, value)) {
        return fail(format!("{value} is no {types:?}"));
    }
    for required in schema.get("required").and_then(Value::as_array).into_iter().flatten() {
        let name = required.as_str().expect("a name");
        if value.is_object() && value.get(name).is_none() {
            return fail(format!("{name} is missing"));
        }
    }
    let below = |name: &str, result: Result<(), Fault>| {
        result.map_err(|(path, fault)| (format!("/{name}{path}"), fault))
    };
    let properties = schema.get("properties").and_then(Value::as_object);
    for (name, value) in value.as_object().into_iter().flatten() {
        match properties.and_then(|known| known.get(name)) {
            Some(schema) => below(name, at(document, schema, value))?,
            None => match schema.get("additionalProperties") {
                Some(Value::Bool(false)) => return fail(format!("nobody knows of {name}")),
                Some(schema) => below(name, at(document, schema, value))?,
                None => {}
            },
        }
    }
    if let Some(items) = schema.get("items") {
        for (index, value) in value.as_array().into_iter().flatten().enumerate() {
            below(&index.to_string(), at(document, items, value))?;
        }
    }
    Ok(())
}

fn is_of(name: &str, value: &Value) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        _ => panic!("{name} is no type"),
    }
}
