const BEARER = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

/** The credentials of a request; `token` is missing when it is malformed. */
export interface BearerCredentials {
  readonly token: string | undefined;
}

/** Undefined when a request has none. */
export type ReadCredentials = (
  request: Request,
) => BearerCredentials | undefined | Promise<BearerCredentials | undefined>;

/** By the Authorization field alone (RFC 6750 §2.1). */
export const bearerCredentials: ReadCredentials = ({ headers }) => {
  const field = headers.get('authorization');
  if (field === null || !/^bearer(?: |$)/i.test(field)) return undefined;
  return { token: BEARER.exec(field)?.[1] };
};
