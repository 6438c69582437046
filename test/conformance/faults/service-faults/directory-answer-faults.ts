import { rewire } from '../../../../src/mock-service/index.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';
import { at, inListing, type Json, withMeta } from './directory-json.ts';

const { on, withHeader, withJson, withStatus, withoutHeaders } = rewire;

/** Faults of the envelope of the directory, and of its headers. */
export const DIRECTORY_ANSWER_FAULTS = {
  refusedListingWithoutKey: {
    description: 'demands a key for its listing (directory specification, Authentication)',
    answers: on(inListing, withStatus(401)),
    fails: { 'directory-listing': ['open'] },
  },
  wrongServicesType: {
    description: 'lists services in an object instead of an array',
    answers: on(
      inListing,
      withJson(({ data, ...body }) => ({ ...body, data: { ...(data as Json) } })),
    ),
    fails: { 'directory-listing': ['envelope'] },
  },
  wrongRequestsType: {
    description: 'writes meta.requests as a string',
    answers: on(
      inListing,
      withMeta((meta) => ({ ...meta, requests: String(meta['requests']) })),
    ),
    fails: { 'directory-listing': ['requests'] },
  },
  wrongTimestampUnit: {
    description: 'writes meta.timestamp in milliseconds',
    answers: on(
      inListing,
      withMeta((meta) => ({ ...meta, timestamp: 1000 * Number(meta['timestamp']) })),
    ),
    fails: { 'directory-listing': ['timestamp'] },
  },
  wrongMetaStatusType: {
    description: 'writes meta.status as a word',
    answers: on(
      inListing,
      withMeta((meta) => ({ ...meta, status: 'ok' })),
    ),
    fails: { 'directory-listing': ['status'] },
  },
  missingMetaMessage: {
    description: 'leaves meta.message out',
    answers: on(
      inListing,
      withMeta(({ message: _message, ...meta }) => meta),
    ),
    fails: { 'directory-listing': ['message'] },
  },
  wrongMethodId: {
    description: 'names another method in meta.method_id',
    answers: on(
      inListing,
      withMeta((meta) => ({ ...meta, method_id: 1082 })),
    ),
    fails: { 'directory-listing': ['method-id'] },
  },
  wrongVersionType: {
    description: 'writes meta.version as a string',
    answers: on(
      inListing,
      withMeta((meta) => ({ ...meta, version: 'v2' })),
    ),
    fails: { 'directory-listing': ['version'] },
  },
  extraMethodDetails: {
    description: 'describes the method in meta.method, which should be empty',
    answers: on(
      inListing,
      withMeta((meta) => ({ ...meta, method: { license: 'none' } })),
    ),
    fails: { 'directory-listing': ['method'] },
  },
  wrongListingMediaType: {
    description: 'serves the JSON of its directory as plain text',
    answers: on(inListing, withHeader('content-type', 'text/plain; charset=utf-8')),
    fails: { 'directory-listing': ['json-type'] },
  },
  wrongListingCacheControl: {
    description: 'lets its listing be cached (directory specification, Limits)',
    answers: on(inListing, withHeader('cache-control', 'public, max-age=300')),
    fails: { 'directory-listing': ['live', 'no-store'] },
  },
  wrongListingRevalidation: {
    description: 'lets its listing be cached and revalidated',
    answers: on(inListing, withHeader('cache-control', 'no-cache')),
    fails: { 'directory-listing': ['no-store'] },
  },
  wrongFormatMediaType: {
    description: 'answers an unknown format with a web page',
    answers: on(
      (path, { status }) => path.startsWith('/api/services') && status === 404,
      () =>
        new Response('<h1>Not Found</h1>', {
          status: 404,
          headers: { 'content-type': 'text/html' },
        }),
    ),
    fails: { 'directory-requests': ['other-formats'] },
  },
  missingHeadHeaders: {
    description: 'leaves headers of GET out of the answer to HEAD (RFC 9110 §9.3.2)',
    answers: on(
      (path, _response, { method }) => path === '/api/services.json' && method === 'HEAD',
      withoutHeaders('content-type'),
    ),
    fails: { 'directory-requests': ['head'] },
  },
  missingListingAllow: {
    description: 'answers 405 at its listing without Allow (RFC 9110 §15.5.6)',
    answers: on(
      (path, { status }) => path === '/api/services.json' && status === 405,
      withoutHeaders('allow'),
    ),
    fails: { 'directory-requests': ['other-methods'] },
  },
  exposedKey: {
    description: "repeats the caller's key in its answer",
    answers: on(
      (path, response, { url }) => inListing(path, response) && url.includes('key='),
      (response, request) =>
        withMeta((meta) => ({ ...meta, key: new URL(request.url).searchParams.get('key') }))(
          response,
          request,
        ),
    ),
    fails: { 'directory-requests': ['key-unread'] },
  },
  missingMethod: {
    description: 'leaves a method out of its list of methods',
    answers: on(
      at('/v2/api/methods.json'),
      withJson(({ data, ...body }) => ({ ...body, data: (data as Json[]).slice(1) })),
    ),
    fails: { 'directory-siblings': ['same-methods'] },
  },
  extraPublishedCode: {
    description: 'lists a code of its own among the published ones',
    answers: on(
      at('/v2/server/codes.json'),
      withJson(({ data, ...body }) => ({
        ...body,
        data: [...(data as Json[]), { code: 404, message: 'Not found' }],
      })),
    ),
    fails: { 'directory-siblings': ['codes'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;
