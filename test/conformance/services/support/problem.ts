import type { Handler } from './listen.ts';

/** A refusal; the endpoint's handler puts it into its envelope. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  /** Further members of the answer. */
  readonly members: Readonly<Record<string, unknown>>;
  /** Further headers of the answer. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    text: string,
    members: Readonly<Record<string, unknown>> = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(text);
    this.status = status;
    this.code = code;
    this.members = members;
    this.headers = headers;
  }
}

/** Runs the handler; a `Problem` becomes the answer that `render` makes of it. */
export function withProblems(render: (problem: Problem) => Response, handler: Handler): Handler {
  return async (request) => {
    try {
      return await handler(request);
    } catch (error) {
      return render(
        error instanceof Problem ? error : new Problem(500, 'server_error', 'Something broke.'),
      );
    }
  };
}

/** Never kept by a cache: for everything that holds a secret or depends on a state. */
export const NO_STORE = { 'Cache-Control': 'no-store', Pragma: 'no-cache' } as const;

export function json(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = NO_STORE,
): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
  });
}
