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
  wrongXmlRoot: {
    description: 'uses another name for the root element of its XML',
    answers: on(
      inXml,
      withText((text) => text.replace(/(<\/?)response>/g, '$1result>')),
    ),
    breaks: ['W10-07'],
    fails: { 'directory-xml': ['meta-and-data'] },
  },
  wrongXmlItem: {
    description: 'uses another name for the elements of a list in its XML',
    answers: on(
      inXml,
      withText((text) => text.replace(/(<\/?)item>/g, '$1entry>')),
    ),
    breaks: ['W10-07'],
    fails: { 'directory-xml': ['items'] },
  },
  wrongXmlNull: {
    description: 'writes null into its XML as text',
    answers: on(
      inXml,
      withText((text) => text.replace('<key_reset_time>', '<key_reset_time>null')),
    ),
    breaks: ['W10-05'],
    fails: { 'directory-xml': ['null-empty'] },
  },
  wrongXmlMediaType: {
    description: 'serves its XML as plain text',
    answers: on(inXml, withHeader('content-type', 'text/plain; charset=utf-8')),
    breaks: ['SD-PARAM-1', 'W10-07'],
    fails: { 'directory-xml': ['xml-type', 'xml-charset'] },
  },
  missingXmlCharset: {
    description: 'does not name the charset of its XML',
    answers: on(inXml, withHeader('content-type', 'application/xml')),
    breaks: ['W10-07'],
    fails: { 'directory-xml': ['xml-charset'] },
  },
  acceptedXmlCallback: {
    description: 'wraps XML in the function that callback names',
    answers: on(
      (path, _response, request) => inXml(path) && callbackOf(request) !== null,
      withText((text, request) => `${callbackOf(request)}(${text});`),
    ),
    breaks: ['W10-09'],
    fails: { 'directory-xml': ['callback-unread'] },
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
    breaks: ['W10-10', 'DIR-07', 'A-33-FORM'],
    fails: { 'directory-jsonp': ['form', 'first-bytes'] },
  },
  missingScriptEnd: {
    description: 'leaves the last character of a script out',
    answers: on(
      inScript,
      withText((text) => text.replace(/;$/, '')),
    ),
    breaks: ['W10-10'],
    fails: { 'directory-jsonp': ['form'] },
  },
  wrongScriptMediaType: {
    description: 'serves scripts under an obsolete media type (RFC 9239)',
    answers: on(inScript, withHeader('content-type', 'application/javascript; charset=utf-8')),
    breaks: ['W10-10'],
    fails: { 'directory-jsonp': ['script'] },
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
