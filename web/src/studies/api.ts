// Requests about studies.
import { getJson } from "../lib/api.ts";
import type { Study, StudyList } from "../protocol/types.ts";

function pathOf(study: string): string {
  return `/api/v1/studies/${encodeURIComponent(study)}`;
}

export function listStudies(): Promise<StudyList> {
  return getJson("/api/v1/studies");
}

export function readStudy(study: string): Promise<Study> {
  return getJson(pathOf(study));
}

export function fileOf(study: string, name: string): string {
  return `${pathOf(study)}/files/${encodeURIComponent(name)}`;
}
