import { type AnswerFault, withHeader, withoutHeaders, withText } from '../../mock/index.ts';

const inXml = (path: string) => /^(\/v2)?\/(api\/services|server\/time)\.xml$/.test(path);

const inScript = (_path: string, { headers }: Response) =>
  (headers.get('content-type') ?? '').startsWith('text/javascript');

const callbackOf = ({ url }: Request) => new URL(url).searchParams.get('callback');

/** What the service directory can be told to do wrong with XML and with scripts. */
export const DIRECTORY_FORMAT_FAULTS = {
  xmlUnescaped: {
    says: 'writes an ampersand into its XML as it is (attack A-34)',
    at: inXml,
    spoil: withText((text) => text.replace('Request successful', 'Request & success')),
  },
  xmlDoctype: {
    says: 'puts a document type into its XML',
    at: inXml,
    spoil: withText((text) => text.replace('<response>', '<!DOCTYPE response><response>')),
  },
  xmlValuesLost: {
    says: 'loses the names of services in its XML',
    at: inXml,
    spoil: withText((text) =>
      text.replace(/<service_name>.*?<\/service_name>/g, '<service_name></service_name>'),
    ),
  },
  xmlRootOther: {
    says: 'has another root in its XML',
    at: inXml,
    spoil: withText((text) => text.replace(/(<\/?)response>/g, '$1result>')),
  },
  xmlItemsOther: {
    says: 'has another name for the members of a list in its XML',
    at: inXml,
    spoil: withText((text) => text.replace(/(<\/?)item>/g, '$1entry>')),
  },
  xmlNullWritten: {
    says: 'writes null into its XML as a word',
    at: inXml,
    spoil: withText((text) => text.replace('<key_reset_time>', '<key_reset_time>null')),
  },
  xmlAsText: {
    says: 'serves its XML as plain text',
    at: inXml,
    spoil: withHeader('content-type', 'text/plain; charset=utf-8'),
  },
  xmlWithoutCharset: {
    says: 'does not say in which charset its XML is',
    at: inXml,
    spoil: withHeader('content-type', 'application/xml'),
  },
  xmlCallback: {
    says: 'wraps XML in the function that callback names',
    at: (path, _response, request) => inXml(path) && callbackOf(request) !== null,
    spoil: withText((text, request) => `${callbackOf(request)}(${text});`),
  },
  callbackIgnored: {
    says: 'does not read callback (service-directory.md, Endpoints)',
    at: inScript,
    spoil: withText((text) => text.replace(/^[^(]*\(/, '').replace(/\);$/, '')),
  },
  scriptWithoutComment: {
    says: 'lets a caller choose the first bytes of a script (attack A-33)',
    at: inScript,
    spoil: withText((text) => text.replace('/**/', '')),
  },
  scriptWithoutEnd: {
    says: 'leaves the last character of a script out',
    at: inScript,
    spoil: withText((text) => text.replace(/;$/, '')),
  },
  scriptTypeOld: {
    says: 'serves scripts under an older media type (RFC 9239)',
    at: inScript,
    spoil: withHeader('content-type', 'application/javascript; charset=utf-8'),
  },
  scriptSniffed: {
    says: 'lets browsers guess what a script is (attack A-33)',
    at: inScript,
    spoil: withoutHeaders('x-content-type-options'),
  },
  scriptInline: {
    says: 'does not serve scripts as attachments',
    at: inScript,
    spoil: withoutHeaders('content-disposition'),
  },
  scriptUnescaped: {
    says: 'writes the end of an element into a script as it is',
    at: inScript,
    spoil: withText((text) => text.replace('Request successful', 'Request successful</b>')),
  },
  scriptForTokens: {
    says: 'answers a call that carries a token as a script (attack A-33)',
    at: (path, _response, request) =>
      path.startsWith('/v2/') &&
      request.headers.has('authorization') &&
      callbackOf(request) !== null,
    spoil: withText((text, request) => `/**/${callbackOf(request)}(${text});`),
  },
} as const satisfies Readonly<Record<string, AnswerFault>>;
