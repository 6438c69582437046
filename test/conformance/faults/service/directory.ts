import type { FaultCase } from '../fault-case.ts';

export const DIRECTORY_CASES: readonly FaultCase[] = [
  { fault: 'directoryKeyed', scenarios: ['directory-listing'], fails: ['directory-listing.open'] },
  {
    fault: 'servicesByName',
    scenarios: ['directory-listing'],
    fails: ['directory-listing.envelope'],
  },
  {
    fault: 'requestsAsText',
    scenarios: ['directory-listing'],
    fails: ['directory-listing.requests'],
  },
  {
    fault: 'timestampInMilliseconds',
    scenarios: ['directory-listing'],
    fails: ['directory-listing.timestamp'],
  },
  { fault: 'statusAsText', scenarios: ['directory-listing'], fails: ['directory-listing.status'] },
  {
    fault: 'noMessage',
    scenarios: ['directory-listing'],
    fails: ['directory-listing.message', 'directory-listing.message-text'],
  },
  {
    fault: 'otherMessage',
    scenarios: ['directory-listing'],
    fails: ['directory-listing.message-text'],
  },
  {
    fault: 'otherMethodId',
    scenarios: ['directory-listing'],
    fails: ['directory-listing.method-id'],
  },
  {
    fault: 'versionAsText',
    scenarios: ['directory-listing'],
    fails: ['directory-listing.version', 'directory-listing.version-number'],
  },
  {
    fault: 'otherVersion',
    scenarios: ['directory-listing'],
    fails: ['directory-listing.version-number'],
  },
  {
    fault: 'methodDescribed',
    scenarios: ['directory-listing'],
    fails: ['directory-listing.method'],
  },
  {
    fault: 'serviceIdAsText',
    scenarios: ['directory-listing'],
    fails: ['directory-listing.services'],
  },
  {
    fault: 'serviceUrlUnversioned',
    scenarios: ['directory-listing'],
    fails: ['directory-listing.service-url'],
  },
  {
    fault: 'methodIdsMissing',
    scenarios: ['directory-listing'],
    fails: ['directory-listing.methods'],
  },
  {
    fault: 'methodUrlWithoutFormat',
    scenarios: ['directory-listing'],
    fails: ['directory-listing.method-url'],
  },
  {
    fault: 'serviceIdsShared',
    scenarios: ['directory-listing'],
    fails: ['directory-listing.distinct'],
  },
  {
    fault: 'directoryAsText',
    scenarios: ['directory-listing'],
    fails: ['directory-listing.json-type'],
  },
  {
    fault: 'directoryWithoutCharset',
    scenarios: ['directory-listing'],
    fails: ['directory-listing.json-charset'],
  },
  {
    fault: 'directoryCached',
    scenarios: ['directory-listing'],
    fails: ['directory-listing.live', 'directory-listing.no-store'],
  },
  {
    fault: 'directoryRevalidated',
    scenarios: ['directory-listing'],
    fails: ['directory-listing.no-store'],
  },
  {
    fault: 'catalogIncomplete',
    scenarios: ['directory-catalog'],
    fails: [
      'directory-catalog.api',
      'directory-catalog.server',
      'directory-catalog.resources',
      'directory-catalog.courses',
      'directory-catalog.terms',
      'directory-catalog.buildings',
      'directory-catalog.foodservices',
    ],
  },
  {
    fault: 'xmlUnescaped',
    scenarios: ['directory-xml'],
    fails: ['directory-xml.well-formed'],
  },
  { fault: 'xmlDoctype', scenarios: ['directory-xml'], fails: ['directory-xml.no-doctype'] },
  { fault: 'xmlValuesLost', scenarios: ['directory-xml'], fails: ['directory-xml.same-values'] },
  { fault: 'xmlRootOther', scenarios: ['directory-xml'], fails: ['directory-xml.meta-and-data'] },
  { fault: 'xmlItemsOther', scenarios: ['directory-xml'], fails: ['directory-xml.items'] },
  { fault: 'xmlNullWritten', scenarios: ['directory-xml'], fails: ['directory-xml.null-empty'] },
  {
    fault: 'xmlAsText',
    scenarios: ['directory-xml'],
    fails: ['directory-xml.xml-type', 'directory-xml.xml-charset'],
  },
  {
    fault: 'xmlWithoutCharset',
    scenarios: ['directory-xml'],
    fails: ['directory-xml.xml-charset'],
  },
  { fault: 'xmlCallback', scenarios: ['directory-xml'], fails: ['directory-xml.callback-unread'] },
  { fault: 'callbackIgnored', scenarios: ['directory-jsonp'], fails: ['directory-jsonp.wrapped'] },
  {
    fault: 'scriptWithoutComment',
    scenarios: ['directory-jsonp'],
    fails: ['directory-jsonp.form', 'directory-jsonp.first-bytes'],
  },
  { fault: 'scriptWithoutEnd', scenarios: ['directory-jsonp'], fails: ['directory-jsonp.form'] },
  { fault: 'scriptTypeOld', scenarios: ['directory-jsonp'], fails: ['directory-jsonp.script'] },
  {
    fault: 'scriptSniffed',
    scenarios: ['directory-jsonp'],
    fails: ['directory-jsonp.not-sniffed'],
  },
  { fault: 'scriptInline', scenarios: ['directory-jsonp'], fails: ['directory-jsonp.attachment'] },
  { fault: 'scriptUnescaped', scenarios: ['directory-jsonp'], fails: ['directory-jsonp.escaped'] },
  {
    fault: 'callbackUnchecked',
    scenarios: ['directory-jsonp'],
    fails: [
      'directory-jsonp.bad-names',
      'directory-jsonp.bad-names-refused',
      'directory-jsonp.name-length',
    ],
  },
  { fault: 'callbackLong', scenarios: ['directory-jsonp'], fails: ['directory-jsonp.name-length'] },
  {
    fault: 'callbackRefusedOtherwise',
    scenarios: ['directory-jsonp'],
    fails: ['directory-jsonp.bad-names-refused', 'directory-jsonp.name-length'],
  },
  {
    fault: 'formatsInHtml',
    scenarios: ['directory-requests'],
    fails: ['directory-requests.other-formats', 'directory-requests.invalid-method'],
  },
  {
    fault: 'formatsNotAcceptable',
    scenarios: ['directory-requests'],
    fails: ['directory-requests.invalid-method'],
  },
  { fault: 'headUntyped', scenarios: ['directory-requests'], fails: ['directory-requests.head'] },
  {
    fault: 'directoryMethodsUntold',
    scenarios: ['directory-requests'],
    fails: ['directory-requests.other-methods'],
  },
  {
    fault: 'keyEchoed',
    scenarios: ['directory-requests'],
    fails: ['directory-requests.key-unread'],
  },
  {
    fault: 'requestsUncounted',
    scenarios: ['directory-requests'],
    fails: ['directory-requests.counted'],
  },
  {
    fault: 'ownListingEmpty',
    scenarios: ['directory-requests'],
    fails: ['directory-requests.own-address'],
  },
  { fault: 'siblingsKeyed', scenarios: ['directory-siblings'], fails: ['directory-siblings.open'] },
  {
    fault: 'methodsStale',
    scenarios: ['directory-siblings'],
    fails: ['directory-siblings.same-methods'],
  },
  {
    fault: 'parametersWithoutFormat',
    scenarios: ['directory-siblings'],
    fails: ['directory-siblings.parameters'],
  },
  {
    fault: 'codesExtended',
    scenarios: ['directory-siblings'],
    fails: ['directory-siblings.codes'],
  },
  {
    fault: 'catalogUnchallenged',
    scenarios: ['directory-guarded'],
    fails: ['directory-guarded.guarded'],
  },
  {
    fault: 'keyStatusOther',
    scenarios: ['directory-guarded'],
    fails: ['directory-guarded.key-required'],
  },
  { fault: 'noDataAsNull', scenarios: ['directory-guarded'], fails: ['directory-guarded.no-data'] },
  {
    fault: 'emptyCounted',
    scenarios: ['directory-guarded'],
    fails: ['directory-guarded.uncounted'],
  },
  {
    fault: 'scriptForTokens',
    scenarios: ['directory-guarded'],
    fails: ['directory-guarded.no-script'],
  },
];
