/** What leaves instead of an answer. */
export type Tamper = (response: Response, request: Request) => Response | Promise<Response>;

/** Which answers are meant, by the path of the request. */
type AnswerChoice = (path: string, response: Response, request: Request) => boolean;

/** Changes the answers that are meant, and lets the others pass. */
export function on(isMeant: AnswerChoice, change: Tamper): Tamper {
  return (response, request) =>
    isMeant(new URL(request.url).pathname, response, request)
      ? change(response, request)
      : response;
}

/** Takes these headers away. Names in lower case. */
export function withoutHeaders(...names: readonly string[]): Tamper {
  return (response) => {
    for (const name of names) response.headers.delete(name);
    return response;
  };
}

/** The answer with this header, whatever it was. */
export function withHeader(name: string, value: string): Tamper {
  return (response) => {
    response.headers.set(name, value);
    return response;
  };
}

/** The answer with another status. */
export function withStatus(status: number): Tamper {
  return (response) =>
    new Response(response.body, { status, headers: new Headers(response.headers) });
}

/** The answer with a changed text as its body. */
export function withText(change: (text: string, request: Request) => string): Tamper {
  return async (response, request) => {
    const { status, headers } = response;
    return new Response(change(await response.text(), request), { status, headers });
  };
}

type Json = Record<string, unknown>;

/** Changes the JSON object that is the body; any other body stays. */
export function withJson(change: (body: Json, request: Request) => unknown): Tamper {
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

/** Sets these members, whatever they were; undefined leaves one out. */
export function withMembers(members: Readonly<Json>): Tamper {
  return withJson((body) => ({ ...body, ...members }));
}
