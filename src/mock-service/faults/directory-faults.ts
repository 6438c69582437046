import { on, withText } from '../../mock/http/tamper.ts';
import type { ServiceFault } from './service-fault.ts';

export const inXml = (path: string) => /^(\/v2)?\/(api\/services|server\/time)\.xml$/.test(path);

/** Faults: what it does wrong in its directory. */
export const DIRECTORY_FAULTS = {
  uncheckedCallback: {
    description: 'accepts any text as the name of a callback (attack A-33)',
    answers: on(
      (_path, { status }, { url }) => status === 400 && new URL(url).searchParams.has('callback'),
      (_answer, { url }) =>
        new Response(`/**/${new URL(url).searchParams.get('callback')}({});`, {
          headers: { 'content-type': 'text/javascript; charset=utf-8' },
        }),
    ),
  },
  unescapedXml: {
    description: 'writes an ampersand into its XML unescaped (attack A-34)',
    answers: on(
      inXml,
      withText((text) => text.replace('Request successful', 'Request & success')),
    ),
  },
} satisfies Readonly<Record<string, ServiceFault>>;
