import { NO_STORE, Reply } from '../../mock/index.ts';
import { type AnswerFacts, directoryAnswer } from './answer.ts';
import { renderJson, renderJsonp } from './render-json.ts';
import { renderXml } from './render-xml.ts';
import type { Format } from './url.ts';

interface DirectoryReply extends AnswerFacts {
  readonly format: Format;
  /** The name of a JSONP callback; for open methods as JSON alone. */
  readonly callback?: string | undefined;
  /** Of HTTP. Default 200. */
  readonly httpStatus?: number;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

const MEDIA_TYPES = {
  json: 'application/json; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  jsonp: 'text/javascript; charset=utf-8',
} as const;

/** Renders an answer of the directory. The data is live, so it is not cached. */
export async function directoryReply(reply: DirectoryReply): Promise<Response> {
  const { callback, format, headers, httpStatus = 200 } = reply;
  const answer = directoryAnswer(reply);
  const asScript = format === 'json' && callback !== undefined;
  const body = asScript
    ? renderJsonp(answer, callback)
    : await (format === 'xml' ? renderXml(answer) : renderJson(answer));
  return Reply.of({
    status: httpStatus,
    headers: {
      'content-type': MEDIA_TYPES[asScript ? 'jsonp' : format],
      'x-content-type-options': 'nosniff',
      ...(asScript && { 'content-disposition': 'attachment; filename=f.txt' }),
      ...NO_STORE,
      ...headers,
    },
    text: body,
  });
}
