import type { Rule } from './rule.ts';

const HTML = 'HTTP/1.1 200 OK\nContent-Type: text/html\n\n<!doctype html>…';
const NOT_FOUND = 'HTTP/1.1 404 Not Found';
const JSON_ANSWER = 'HTTP/1.1 200 OK\nContent-Type: application/json\n\n{"issuer": …}';
const SERVER_PLACE = 'GET /.well-known/oauth-authorization-server';

/** About how documents are served, or lie in a folder. */
export const SERVING_RULES = {
  'server-metadata-missing': {
    severity: 'error',
    holds: 'The authorization server publishes its metadata.',
    why: 'It is where agents read at which URL they register.',
    source: 'RFC 8414 §3',
    before: `${SERVER_PLACE}\n${NOT_FOUND}`,
    after: `${SERVER_PLACE}\n${JSON_ANSWER}`,
  },
  'resource-metadata-missing': {
    severity: 'error',
    holds: 'The resource publishes its metadata.',
    why: 'Agents start at the API, and learn from it which authorization server to ask.',
    source: 'RFC 9728 §3',
    before: `GET /.well-known/oauth-protected-resource\n${NOT_FOUND}`,
    after:
      'GET /.well-known/oauth-protected-resource\nHTTP/1.1 200 OK\nContent-Type: application/json\n\n{"resource": …, "authorization_servers": […]}',
  },
  'challenge-without-metadata': {
    severity: 'error',
    holds: 'A 401 names the metadata of the resource.',
    why: 'An agent that calls the API without a token finds the way from there.',
    source: 'RFC 9728 §5.1',
    before: 'HTTP/1.1 401 Unauthorized\nWWW-Authenticate: Bearer',
    after:
      'HTTP/1.1 401 Unauthorized\nWWW-Authenticate: Bearer resource_metadata="https://api.example.com/.well-known/oauth-protected-resource"',
  },
  'challenge-unquoted': {
    severity: 'error',
    holds: 'The URL in a challenge is quoted.',
    why: 'A URL is no token: some readers end it at its first colon or slash.',
    source: 'RFC 9110 §11.2',
    before: 'WWW-Authenticate: Bearer resource_metadata=https://api.example.com/metadata',
    after: 'WWW-Authenticate: Bearer resource_metadata="https://api.example.com/metadata"',
  },
  'byte-order-mark': {
    severity: 'error',
    holds: 'JSON begins without a byte order mark.',
    why: 'Parsers may refuse it; editors that add one have a setting for it.',
    source: 'RFC 8259 §8.1',
    before: 'EF BB BF 7B 22 …',
    after: '7B 22 …',
  },
  'no-challenge': {
    severity: 'note',
    holds: 'A call without a token is answered 401, at a path that needs one.',
    why: 'What a challenge says can be judged only where there is one; the path may need no token, or be none.',
    source: 'RFC 9728 §5.1',
    before: 'GET /orders\nHTTP/1.1 200 OK',
    after:
      'GET /orders\nHTTP/1.1 401 Unauthorized\nWWW-Authenticate: Bearer resource_metadata="https://api.example.com/.well-known/oauth-protected-resource"',
  },
  'document-unreachable': {
    severity: 'error',
    holds: 'What one document names can be fetched.',
    why: 'Agents stop at the first hop that gives no answer.',
    source: 'RFC 8414 §3.2',
    before: `${SERVER_PLACE}\nHTTP/1.1 503 Service Unavailable`,
    after: `${SERVER_PLACE}\n${JSON_ANSWER}`,
  },
  'document-redirected': {
    severity: 'error',
    holds: 'A document is served at its own URL, without a redirect.',
    why: 'Agents do not follow redirects in discovery: who can redirect could put another server in place of this one.',
    source: 'RFC 8414 §3.2',
    before: `${SERVER_PLACE}\nHTTP/1.1 308 Permanent Redirect\nLocation: https://www.example.com/.well-known/oauth-authorization-server`,
    after: `${SERVER_PLACE}\n${JSON_ANSWER}`,
  },
  'html-for-json': {
    severity: 'error',
    holds: 'The place of a metadata document has JSON, or answers 404.',
    why: 'A single-page app that answers every path with its page hides that there is no document, or hides the document.',
    source: 'RFC 8414 §3.2',
    before: `${SERVER_PLACE}\n${HTML}`,
    after: `${SERVER_PLACE}\n${JSON_ANSWER}`,
  },
  'not-json': {
    severity: 'error',
    holds: 'A metadata document is one JSON object, each member in it once.',
    why: 'What parsers read differently, agents refuse.',
    source: 'RFC 8414 §3.2',
    before: '{"issuer": "https://api.example.com",}',
    after: '{"issuer": "https://api.example.com"}',
  },
  'document-not-utf8': {
    severity: 'error',
    holds: 'A document is UTF-8.',
    why: 'JSON that is exchanged is UTF-8.',
    source: 'RFC 8259 §8.1',
    before: 'UTF-16, as some editors save it',
    after: 'UTF-8',
  },
  'document-too-large': {
    severity: 'error',
    holds: 'A document is not larger than agents read.',
    why: 'Readers cap what strangers send them: 1 MiB of metadata, 256 KiB of a skill file.',
    source: 'attack A-36',
    before: 'auth.md: 900 KiB',
    after: 'auth.md: 20 KiB, with links to the rest',
  },
  'media-type': {
    severity: 'error',
    holds: 'Metadata is served as application/json.',
    why: 'A reader may refuse another type. Static hosts give files without an extension none, unless they are told.',
    source: 'RFC 8414 §3.2',
    before: `${SERVER_PLACE}\nHTTP/1.1 200 OK\nContent-Type: application/octet-stream`,
    after: `${SERVER_PLACE}\nHTTP/1.1 200 OK\nContent-Type: application/json`,
  },
  'skill-not-markdown': {
    severity: 'warning',
    holds: 'The skill file is Markdown, served as text.',
    why: 'It is instructions that a model reads; a page of markup is not shown to it.',
    source: 'specification, What the service does',
    before: 'GET /auth.md\nHTTP/1.1 200 OK\nContent-Type: text/html',
    after: 'GET /auth.md\nHTTP/1.1 200 OK\nContent-Type: text/markdown; charset=utf-8',
  },
  'metadata-place': {
    severity: 'warning',
    holds:
      'Metadata is served where the standard puts it: the well-known path between host and path.',
    why: 'Only some agents look at the start of the site, or behind the path, too.',
    source: 'RFC 8414 §3.1',
    before: 'https://example.com/shop/.well-known/oauth-authorization-server',
    after: 'https://example.com/.well-known/oauth-authorization-server/shop',
  },
  'authorization-server-unusable': {
    severity: 'error',
    holds: 'Each authorization server is named by an https URL.',
    why: 'Agents ask no other, nor one on their own machine that another machine names.',
    source: 'RFC 8414 §2',
    before: {
      resource: 'https://api.example.com',
      authorization_servers: ['http://127.0.0.1:9000'],
    },
    after: {
      resource: 'https://api.example.com',
      authorization_servers: ['https://auth.example.com'],
    },
  },
  'file-outside': {
    severity: 'warning',
    holds: 'Each document is a file of the folder.',
    why: 'A link that leads out of the folder is not followed: what it leads to need not be published with it.',
    source: 'this command',
    before: 'auth.md -> ../../notes/auth.md',
    after: 'auth.md',
  },
  'file-unreadable': {
    severity: 'error',
    holds: 'Each document can be read.',
    why: 'What cannot be read here is not judged.',
    source: 'this command',
    before: '---------- auth.md',
    after: '-rw-r--r-- auth.md',
  },
  'folder-too-large': {
    severity: 'warning',
    holds: 'The folder is that of a site, with at most 20000 entries, eight folders deep.',
    why: 'Beyond that nothing is looked at.',
    source: 'this command',
    before: 'agent-auth lint /',
    after: 'agent-auth lint ./public',
  },
} as const satisfies Readonly<Record<string, Rule>>;
