import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../../../src/mock/store/database.ts';
import { openDatabase } from '../../../src/mock/store/open-database.ts';
import type { MockServiceOptions } from '../../../src/mock-service/index.ts';
import { Harness } from '../harness.ts';

export interface Meta {
  readonly requests: number;
  readonly timestamp: number;
  readonly status: number;
  readonly message: string;
  readonly method_id: number | null;
  readonly version: number;
  readonly method: object;
}

export interface ServiceEntry {
  readonly service_id: number | null;
  readonly service_name: string | null;
  readonly service_url: string | null;
  readonly methods: readonly MethodEntry[] | null;
}

export interface MethodEntry {
  readonly method_id: number | null;
  readonly method_url: string | null;
}

export interface DirectoryAnswer<T = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly meta: Meta;
  readonly data: T;
}

/** The directory of a mock service. */
export class Directory {
  readonly h: Harness;
  readonly db: Database;

  private constructor(h: Harness, db: Database) {
    this.h = h;
    this.db = db;
  }

  static async start(options: Partial<MockServiceOptions> = {}): Promise<Directory> {
    const db = options.db ?? (await openDatabase());
    return new Directory(await Harness.start({ ...options, db }), db);
  }

  get controls() {
    return this.h.service.controls;
  }

  async send(path: string, init: RequestInit = {}): Promise<Response> {
    return this.h.service.fetch(new Request(`https://service.test${path}`, init));
  }

  /** An answer in JSON. */
  async ask<T = unknown>(path: string, init: RequestInit = {}): Promise<DirectoryAnswer<T>> {
    const response = await this.send(path, init);
    const { headers, status } = response;
    const text = await response.text();
    const { meta, data } = JSON.parse(text) as { meta: Meta; data: T };
    return { status, headers, text, meta, data };
  }

  services(): Promise<DirectoryAnswer<readonly ServiceEntry[]>> {
    return this.ask('/api/services.json');
  }

  /** An access token of an anonymous registration. */
  async token(more: Record<string, string> = {}): Promise<string> {
    const { body } = await this.h.register({ type: 'anonymous' });
    return String((await this.h.exchange(body['identity_assertion'], more)).body['access_token']);
  }
}

export function bearer(token: string): RequestInit {
  return { headers: { authorization: `Bearer ${token}` } };
}

/** A published sample, read from its file. */
export function published<T = unknown>(name: string): { readonly meta: Meta; readonly data: T } {
  const file = join(import.meta.dirname, '../../../fixtures/directory', name);
  return JSON.parse(readFileSync(file, 'utf8'));
}

export function publishedText(name: string): string {
  return readFileSync(join(import.meta.dirname, '../../../fixtures/directory', name), 'utf8');
}

/** The base URL of the published samples. */
export const PUBLISHED_BASE = 'https://api.uwaterloo.ca';
