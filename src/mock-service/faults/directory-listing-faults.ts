import { on } from '../../mock/index.ts';
import { at, inListing, withEach, withMethods } from './directory-json.ts';
import type { BuiltInServiceFault } from './service-fault.ts';

/** Faults of the services and methods that the directory lists. */
export const DIRECTORY_LISTING_FAULTS = {
  wrongServiceIdType: {
    description: 'writes service_id as a string',
    answers: on(
      inListing,
      withEach((service) => ({ ...service, service_id: String(service['service_id']) })),
    ),
    breaks: ['SD-DOES-1', 'SD-DOES-3', 'SD-SERVICE-1', 'SD-SERVICE-2', 'SD-SERVICE-4'],
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
    breaks: ['SD-SERVICE-3', 'SD-VER-1'],
    fails: { 'directory-listing': ['service-url'] },
  },
  missingMethodId: {
    description: 'leaves method_id out',
    answers: on(
      inListing,
      withMethods((methods) => methods.map(({ method_id: _id, ...method }) => method)),
    ),
    breaks: ['SD-METHOD-1'],
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
    breaks: ['SD-METHOD-2'],
    fails: { 'directory-listing': ['method-url'] },
  },
  sharedServiceId: {
    description: 'gives several services one id',
    answers: on(
      inListing,
      withEach((service) => ({ ...service, service_id: 223 })),
    ),
    breaks: ['DIR-01'],
    fails: { 'directory-listing': ['distinct'] },
  },
  missingListedMethod: {
    description: 'leaves the last method of each service out of its listing',
    answers: on(
      inListing,
      withMethods((methods) => methods.slice(0, -1)),
    ),
    breaks: [
      'SD-CAT-1',
      'SD-VER-2',
      'SD-CAT-2',
      'SD-CAT-3',
      'SD-CAT-4',
      'SD-CAT-5',
      'SD-CAT-6',
      'SD-CAT-7',
    ],
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
    breaks: ['DIR-02'],
    fails: { 'directory-siblings': ['parameters'] },
  },
} as const satisfies Readonly<Record<string, BuiltInServiceFault>>;
