import { notOfHttps, placeOf } from './places.ts';
import { breach, type Rule } from './rule.ts';

const ANSWERS = { source: 'RFC 8414 §3.2', sourceInResource: 'RFC 9728 §3.2' } as const;
const OURS = { source: 'this command' } as const;

/** About how documents are served, or lie in a folder. */
export const SERVING_RULES = {
  'server-metadata-missing': {
    holds: 'The authorization server publishes its metadata.',
    why: 'It is where agents read at which URL they register.',
    source: 'RFC 8414 §3',
  },
  'resource-metadata-missing': {
    holds: 'The resource publishes its metadata.',
    why: 'Agents start at the API, and learn from it which authorization server to ask.',
    source: 'RFC 9728 §3',
  },
  'challenge-without-metadata': {
    holds: 'A 401 names the metadata of the resource.',
    why: 'An agent that calls the API without a token finds the way from there.',
    source: 'RFC 9728 §5.1',
  },
  'challenge-unquoted': {
    holds: 'The URL in a challenge is quoted.',
    why: 'A URL is no token: some readers end it at its first colon or slash.',
    source: 'RFC 9110 §11.2',
  },
  'byte-order-mark': {
    holds: 'JSON begins without a byte order mark.',
    why: 'Parsers may refuse it; editors that add one have a setting for it.',
    source: 'RFC 8259 §8.1',
  },
  'no-challenge': {
    severity: 'note',
    holds: 'A call without a token is answered 401, at a path that needs one.',
    why: 'What a challenge says can be judged only where there is one; the path may need no token, or be none.',
    source: 'RFC 9728 §5.1',
  },
  'document-unreachable': {
    holds: 'What one document names can be fetched.',
    why: 'Agents stop at the first hop that gives no answer.',
    ...ANSWERS,
  },
  'document-redirected': {
    holds: 'A document is served at its own URL, without a redirect.',
    why: 'Agents do not follow redirects in discovery: who can redirect could put another server in place of this one.',
    ...ANSWERS,
  },
  'html-for-json': {
    holds: 'The place of a metadata document has JSON, or answers 404.',
    why: 'A single-page app that answers every path with its page hides that there is no document, or hides the document.',
    ...ANSWERS,
  },
  'not-json': {
    holds: 'A metadata document is one JSON object, each member in it once.',
    why: 'What parsers read differently, agents refuse.',
    ...ANSWERS,
  },
  'document-not-utf8': {
    holds: 'A document is UTF-8.',
    why: 'JSON that is exchanged is UTF-8.',
    source: 'RFC 8259 §8.1',
  },
  'document-too-large': {
    holds: 'A document is not larger than agents read.',
    why: 'Readers cap what strangers send them: 1 MiB of metadata, 256 KiB of a skill file.',
    source: 'attack A-36',
  },
  'media-type': {
    holds: 'Metadata is served as application/json.',
    why: 'A reader may refuse another type. Static hosts give files without an extension none, unless they are told.',
    ...ANSWERS,
  },
  'skill-not-markdown': {
    severity: 'warning',
    holds: 'The skill file is Markdown, served as text.',
    why: 'It is instructions that a model reads; a page of markup is not shown to it.',
    source: 'specification, What the service does',
  },
  'metadata-place': {
    severity: 'warning',
    holds:
      'Metadata is served where the standard puts it: the well-known path between host and path.',
    why: 'Only some agents look at the start of the site, or behind the path, too.',
    source: 'RFC 8414 §3.1',
    find: (read) => {
      const place = placeOf(read);
      if (!place?.isLookedAt) return [];
      const message = `It is served at ${place.at}, where not every agent looks for the metadata of ${place.of}.`;
      return [breach('server', ['issuer'], message, `Serve it at ${place.right} too.`)];
    },
  },
  'authorization-server-unusable': {
    holds: 'Each authorization server is named by an https URL.',
    why: 'Agents ask no other, nor one on their own machine that another machine names.',
    source: 'RFC 9728 §2',
    find: (read) => notOfHttps(read, 'authorization_servers'),
  },
  'file-outside': {
    severity: 'warning',
    holds: 'Each document is a file of the folder.',
    why: 'A link that leads out of the folder is not followed: what it leads to need not be published with it.',
    ...OURS,
  },
  'file-unreadable': {
    holds: 'Each document can be read.',
    why: 'What cannot be read here is not judged.',
    ...OURS,
  },
  'folder-too-large': {
    severity: 'warning',
    holds: 'The folder is that of a site, with at most 20000 entries, eight folders deep.',
    why: 'Beyond that nothing is looked at.',
    ...OURS,
  },
} as const satisfies Readonly<Record<string, Rule>>;
