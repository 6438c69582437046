import type { Envelope, Route } from './request.ts';
import { publicReply, transportProblem } from './response.ts';

/** Where a mock describes itself. */
export const OPENAPI_PATH = '/openapi.json';

interface Described {
  readonly mock: 'service' | 'provider';
  readonly issuer: string;
  readonly envelope: Envelope;
  /** Where what it speaks is told, if that is not the dialect of the document: a sentence. */
  readonly elsewhere?: string | undefined;
}

/** The origins in the written documents: in their place stands the issuer. */
const WRITTEN = { service: 'http://127.0.0.1:4800', provider: 'http://127.0.0.1:4801' } as const;

/** `GET /openapi.json`: the written document of the mock, read when it is asked for first. */
export function documentRoute({ elsewhere, envelope, issuer, mock }: Described): Route {
  let text: string | undefined;
  return {
    method: 'GET',
    path: OPENAPI_PATH,
    envelope,
    crossOrigin: true,
    handle: async () => {
      if (elsewhere !== undefined) throw transportProblem('not_found', { description: elsewhere });
      text ??= (await readDocument(mock)).replaceAll(WRITTEN[mock], issuer);
      return publicReply(text);
    },
  };
}

async function readDocument(mock: Described['mock']): Promise<string> {
  const [{ readFileSync }, { parse }] = await Promise.all([import('node:fs'), import('yaml')]);
  return JSON.stringify(parse(readFileSync(fileOf(mock), 'utf8')));
}

/** The sources have one folder more above them than what is built. */
function fileOf(mock: string): URL {
  const up = import.meta.url.endsWith('.ts') ? '../../..' : '../..';
  return new URL(`${up}/openapi/${mock}.yaml`, import.meta.url);
}
