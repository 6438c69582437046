import { rewire } from '../../../../src/mock-service/index.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';

const { on, withHeader, withText, withoutHeaders } = rewire;

const inScript = (_path: string, { headers }: Response) =>
  (headers.get('content-type') ?? '').startsWith('text/javascript');

const callbackOf = ({ url }: Request) => new URL(url).searchParams.get('callback');

export const inXml = (path: string) => /^(\/v2)?\/(api\/services|server\/time)\.xml$/.test(path);

/** Faults: what it does wrong with XML and with scripts. */
export const DIRECTORY_FORMAT_FAULTS = {
  extraXmlDoctype: {
    description: 'writes a document type declaration into its XML',
    answers: on(
      inXml,
      withText((text) => text.replace('<response>', '<!DOCTYPE response><response>')),
    ),
    fails: { 'directory-xml': ['no-doctype'] },
  },
  missingXmlServiceNames: {
    description: 'leaves the names of services out of its XML',
    answers: on(
      inXml,
      withText((text) =>
        text.replace(/<service_name>.*?<\/service_name>/g, '<service_name></service_name>'),
      ),
    ),
    fails: { 'directory-xml': ['same-values'] },
  },
  wrongXmlMediaType: {
    description: 'serves its XML as plain text',
    answers: on(inXml, withHeader('content-type', 'text/plain; charset=utf-8')),
    fails: { 'directory-xml': ['xml-type'] },
  },
  ignoredCallback: {
    description: 'ignores callback (directory specification, Endpoints)',
    answers: on(
      inScript,
      withText((text) => text.replace(/^[^(]*\(/, '').replace(/\);$/, '')),
    ),
    fails: { 'directory-jsonp': ['wrapped'] },
  },
  missingScriptComment: {
    description:
      'leaves out the comment that keeps a caller from choosing the first bytes of a script (attack A-33)',
    answers: on(
      inScript,
      withText((text) => text.replace('/**/', '')),
    ),
    fails: { 'directory-jsonp': ['first-bytes'] },
  },
  missingScriptNosniff: {
    description: 'lets browsers guess the media type of a script (attack A-33)',
    answers: on(inScript, withoutHeaders('x-content-type-options')),
    fails: { 'directory-jsonp': ['not-sniffed'] },
  },
  missingScriptAttachment: {
    description: 'does not serve scripts as attachments',
    answers: on(inScript, withoutHeaders('content-disposition')),
    fails: { 'directory-jsonp': ['attachment'] },
  },
  unescapedScript: {
    description: 'writes the end of an HTML element into a script unescaped',
    answers: on(
      inScript,
      withText((text) => text.replace('Request successful', 'Request successful</b>')),
    ),
    fails: { 'directory-jsonp': ['escaped'] },
  },
  acceptedScriptWithToken: {
    description: 'answers a call with an access token as a script (attack A-33)',
    answers: on(
      (path, _response, request) =>
        path.startsWith('/v2/') &&
        request.headers.has('authorization') &&
        callbackOf(request) !== null,
      withText((text, request) => `/**/${callbackOf(request)}(${text});`),
    ),
    fails: { 'directory-guarded': ['no-script'] },
  },
  uncheckedCallback: {
    description: 'accepts any text as the name of a callback (attack A-33)',
    answers: on(
      (_path, { status }, { url }) => status === 400 && new URL(url).searchParams.has('callback'),
      (_answer, { url }) =>
        new Response(`/**/${new URL(url).searchParams.get('callback')}({});`, {
          headers: { 'content-type': 'text/javascript; charset=utf-8' },
        }),
    ),
    fails: { 'directory-jsonp': ['bad-names'] },
  },
  unescapedXml: {
    description: 'writes an ampersand into its XML unescaped (attack A-34)',
    answers: on(
      inXml,
      withText((text) => text.replace('Request successful', 'Request & success')),
    ),
    fails: { 'directory-xml': ['well-formed'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;
