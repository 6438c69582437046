const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** A write that a service takes with a token, as `--write-request` names it. */
export interface WriteRequest {
  readonly method: (typeof METHODS)[number];
  /** Absolute, or relative to the target. */
  readonly url: string;
  /** Its media type and text. */
  readonly body?: { readonly type: string; readonly text: string } | undefined;
}

/**
 * Reads `POST /api/notes {"text":"x"}`: a method, a URL, and a body that is JSON or a form.
 * @throws TypeError that says what is wrong with it.
 */
export function readWriteRequest(text: string): WriteRequest {
  const [, method = '', url = '', rest = ''] = /^\s*(\S*)\s*(\S*)\s*(.*)$/s.exec(text) ?? [];
  const known = METHODS.find((each) => each === method.toUpperCase());
  if (known === undefined) {
    throw new TypeError(
      `It begins with ${METHODS.join(', ')}, as in 'POST /api/notes {"text":"x"}'.`,
    );
  }
  if (!/^(https?:\/\/|\/)/.test(url) || !URL.canParse(url, 'http://localhost')) {
    throw new TypeError(
      `After ${known} comes a path such as /api/notes, or a URL of http or https.`,
    );
  }
  return { method: known, url, body: readBody(rest.trim()) };
}

function readBody(text: string): WriteRequest['body'] {
  if (text === '') return undefined;
  if (/^[[{]/.test(text)) {
    try {
      JSON.parse(text);
    } catch (error) {
      throw new TypeError(`Its body is not JSON: ${(error as Error).message}.`);
    }
    return { type: 'application/json', text };
  }
  if (/^[^=&\s]+=\S*$/.test(text)) return { type: 'application/x-www-form-urlencoded', text };
  throw new TypeError('Its body is a JSON object or list, or a form such as text=x&tag=y.');
}
