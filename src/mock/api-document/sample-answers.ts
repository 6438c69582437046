import { type CodeAt, MEDIA_TYPE, type Surface, WIRE_CODES } from '../../protocol/index.ts';
import { type Envelope, transportProblem, type WireProblem, wireProblem } from '../http/index.ts';
import type { SampleAnswer } from './operation.ts';

interface RefusalsOptions<S extends Surface> {
  readonly surface: S;
  readonly envelope: Envelope;
  /** A request that could be answered so. */
  readonly request: Request;
  /** Default: every code of the surface. */
  readonly codes?: readonly CodeAt<S>[];
  /** What a refusal says beside its code. */
  readonly more?: Partial<Record<CodeAt<S>, Parameters<typeof wireProblem<S>>[2]>>;
}

/** The refusals of an endpoint, by the list of wire codes, as its own envelope writes them. */
export function refusals<S extends Surface>({
  codes,
  envelope,
  more = {},
  request,
  surface,
}: RefusalsOptions<S>): readonly SampleAnswer[] {
  const all = codes ?? (Object.keys(WIRE_CODES[surface]) as CodeAt<S>[]);
  return all.map((code) =>
    refusal(code, wireProblem(surface, code, waiting(code, more[code])), envelope, request),
  );
}

/** A refusal as an envelope writes it. */
export function refusal(
  name: string,
  problem: WireProblem,
  envelope: Envelope,
  request: Request,
): SampleAnswer {
  const response = Promise.resolve(envelope(problem, request));
  return { name, description: problem.description, response };
}

/** A client that is limited learns how long. */
function waiting(code: string, options: Parameters<typeof wireProblem>[2] = {}) {
  if (code !== 'rate_limited') return options;
  return { ...options, headers: { 'retry-after': '3600', ...options.headers } };
}

/** What an endpoint says to a body that it cannot read. */
export function unreadable(
  envelope: Envelope,
  request: Request,
  mediaType: string = MEDIA_TYPE.json,
): readonly SampleAnswer[] {
  const wrongType = transportProblem('unsupported_media_type', {
    description: `The body must be ${mediaType}.`,
    headers: { accept: mediaType },
  });
  return [
    refusal('unreadable_body', transportProblem('unreadable_body'), envelope, request),
    refusal('payload_too_large', transportProblem('payload_too_large'), envelope, request),
    refusal('unsupported_media_type', wrongType, envelope, request),
  ];
}

/** What every endpoint says while its store cannot be reached. */
export function unavailable(envelope: Envelope, request: Request): SampleAnswer {
  return refusal('unavailable', transportProblem('unavailable'), envelope, request);
}
