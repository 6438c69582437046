import { on, withHeader, withoutHeaders, withText } from '../../mock/index.ts';
import type { BuiltInServiceFault } from './service-fault.ts';

const inXml = (path: string) => /^(\/v2)?\/(api\/services|server\/time)\.xml$/.test(path);

const inScript = (_path: string, { headers }: Response) =>
  (headers.get('content-type') ?? '').startsWith('text/javascript');

const callbackOf = ({ url }: Request) => new URL(url).searchParams.get('callback');

/** Faults: what it does wrong with XML and with scripts. */
export const DIRECTORY_FORMAT_FAULTS = {
  unescapedXml: {
    description: 'writes an ampersand into its XML unescaped (attack A-34)',
    answers: on(
      inXml,
      withText((text) => text.replace('Request successful', 'Request & success')),
    ),
    breaks: ['SD-PARAM-1'],
    fails: { 'directory-xml': ['well-formed'] },
  },
  extraXmlDoctype: {
    description: 'writes a document type declaration into its XML',
    answers: on(
      inXml,
      withText((text) => text.replace('<response>', '<!DOCTYPE response><response>')),
    ),
    breaks: ['A-34'],
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
    breaks: ['DIR-03'],
    fails: { 'directory-xml': ['same-values'] },
  },
  wrongXmlMediaType: {
    description: 'serves its XML as plain text',
    answers: on(inXml, withHeader('content-type', 'text/plain; charset=utf-8')),
    breaks: ['SD-PARAM-1'],
    fails: { 'directory-xml': ['xml-type'] },
  },
  ignoredCallback: {
    description: 'ignores callback (directory specification, Endpoints)',
    answers: on(
      inScript,
      withText((text) => text.replace(/^[^(]*\(/, '').replace(/\);$/, '')),
    ),
    breaks: ['SD-PARAM-2'],
    fails: { 'directory-jsonp': ['wrapped'] },
  },
  missingScriptComment: {
    description:
      'leaves out the comment that keeps a caller from choosing the first bytes of a script (attack A-33)',
    answers: on(
      inScript,
      withText((text) => text.replace('/**/', '')),
    ),
    breaks: ['DIR-07', 'A-33-FORM'],
    fails: { 'directory-jsonp': ['first-bytes'] },
  },
  missingScriptNosniff: {
    description: 'lets browsers guess the media type of a script (attack A-33)',
    answers: on(inScript, withoutHeaders('x-content-type-options')),
    breaks: ['A-33-FORM'],
    fails: { 'directory-jsonp': ['not-sniffed'] },
  },
  missingScriptAttachment: {
    description: 'does not serve scripts as attachments',
    answers: on(inScript, withoutHeaders('content-disposition')),
    breaks: ['DIR-11'],
    fails: { 'directory-jsonp': ['attachment'] },
  },
  unescapedScript: {
    description: 'writes the end of an HTML element into a script unescaped',
    answers: on(
      inScript,
      withText((text) => text.replace('Request successful', 'Request successful</b>')),
    ),
    breaks: ['DIR-11'],
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
    breaks: ['A-33', 'DIR-06'],
    fails: { 'directory-guarded': ['no-script'] },
  },
} as const satisfies Readonly<Record<string, BuiltInServiceFault>>;
