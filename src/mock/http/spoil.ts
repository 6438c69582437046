/** What an answer becomes when it is spoiled on purpose. */
export type Spoil = (response: Response, request: Request) => Response | Promise<Response>;

/** A fault of the answers alone: a header that is missing, a member that says something else. */
export interface AnswerFault {
  /** What the mock does wrong, with the requirement that it breaks. */
  readonly says: string;
  /** Which answers; by the path of the request. */
  readonly at: (path: string, response: Response, request: Request) => boolean;
  readonly spoil: Spoil;
}

/** Without these headers. Names in lower case. */
export function withoutHeaders(...names: readonly string[]): Spoil {
  return (response) => {
    for (const name of names) response.headers.delete(name);
    return response;
  };
}

/** With this header, whatever it was. */
export function withHeader(name: string, value: string): Spoil {
  return (response) => {
    response.headers.set(name, value);
    return response;
  };
}

/** With another status. */
export function withStatus(status: number): Spoil {
  return (response) =>
    new Response(response.body, { status, headers: new Headers(response.headers) });
}

/** With a changed text as its body. */
export function withText(change: (text: string, request: Request) => string): Spoil {
  return async (response, request) => {
    const { status, headers } = response;
    return new Response(change(await response.text(), request), { status, headers });
  };
}

type Json = Record<string, unknown>;

/** With a changed JSON object as its body; any other body stays. */
export function withJson(change: (body: Json, request: Request) => unknown): Spoil {
  return async (response, request) => {
    const text = await response.text();
    const { status, headers } = response;
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      return new Response(text, { status, headers });
    }
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      return new Response(text, { status, headers });
    }
    return new Response(JSON.stringify(change(body as Json, request)), { status, headers });
  };
}

/** With these members, whatever they were; undefined leaves one out. */
export function withMembers(members: Readonly<Json>): Spoil {
  return withJson((body) => ({ ...body, ...members }));
}

/** Spoils the answers of those faults that are switched on. */
export function spoiler<Name extends string>(
  faults: { has(name: Name): boolean; readonly none?: boolean },
  table: Readonly<Partial<Record<Name, AnswerFault>>>,
): Spoil {
  const entries = Object.entries(table) as [Name, AnswerFault][];
  return async (response, request) => {
    if (faults.none === true) return response;
    let spoiled = response;
    for (const [name, { at, spoil }] of entries) {
      if (!faults.has(name)) continue;
      const path = new URL(request.url).pathname;
      if (at(path, spoiled, request)) spoiled = await spoil(spoiled, request);
    }
    return spoiled;
  };
}
