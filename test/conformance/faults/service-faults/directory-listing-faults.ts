import { rewire } from '../../../../src/mock-service/index.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';
import { at, inListing, withEach, withMethods } from './directory-json.ts';

const { on } = rewire;

/** Faults of the services and methods that the directory lists. */
export const DIRECTORY_LISTING_FAULTS = {
  wrongServiceIdType: {
    description: 'writes service_id as a string',
    answers: on(
      inListing,
      withEach((service) => ({ ...service, service_id: String(service['service_id']) })),
    ),
    fails: { 'directory-listing': ['services'] },
  },
  missingServiceUrlVersion: {
    description: 'leaves the version out of service_url',
    answers: on(
      inListing,
      withEach((service) => ({
        ...service,
        service_url: String(service['service_url']).replace('/v2/', '/'),
      })),
    ),
    fails: { 'directory-listing': ['service-url'] },
  },
  missingMethodId: {
    description: 'leaves method_id out',
    answers: on(
      inListing,
      withMethods((methods) => methods.map(({ method_id: _id, ...method }) => method)),
    ),
    fails: { 'directory-listing': ['methods'] },
  },
  missingMethodUrlFormat: {
    description: 'leaves the format out of method_url',
    answers: on(
      inListing,
      withMethods((methods) =>
        methods.map((method) => ({
          ...method,
          method_url: String(method['method_url']).replace('.{format}', ''),
        })),
      ),
    ),
    fails: { 'directory-listing': ['method-url'] },
  },
  sharedServiceId: {
    description: 'gives several services one id',
    answers: on(
      inListing,
      withEach((service) => ({ ...service, service_id: 223 })),
    ),
    fails: { 'directory-listing': ['distinct'] },
  },
  missingListedMethod: {
    description: 'leaves the last method of each service out of its listing',
    answers: on(
      inListing,
      withMethods((methods) => methods.slice(0, -1)),
    ),
    fails: {
      'directory-catalog': [
        'api',
        'server',
        'resources',
        'courses',
        'terms',
        'buildings',
        'foodservices',
      ],
    },
  },
  missingFormatParameter: {
    description: 'leaves format out of the parameters of a method',
    answers: on(
      at('/v2/api/methods.json'),
      withEach((method) => ({
        ...method,
        parameters: (method['parameters'] as readonly string[]).filter((name) => name !== 'format'),
      })),
    ),
    fails: { 'directory-siblings': ['parameters'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;
