import { type Envelope, refusals, type SampleAnswer, unreadable } from '../../mock/index.ts';
import { MEDIA_TYPE } from '../../protocol/index.ts';
import type { DescribedService, ServiceSamples } from './samples.ts';

/** What every endpoint of the protocol is told with. */
export class EndpointTeller {
  readonly service: DescribedService;
  readonly samples: ServiceSamples;

  constructor(service: DescribedService, samples: ServiceSamples) {
    this.service = service;
    this.samples = samples;
  }

  endpoint(path: string, id: string) {
    return { method: 'POST', path, id } as const;
  }

  request(path: string): Request {
    return new Request(this.service.config.issuer + path, { method: 'POST' });
  }

  refused(
    path: string,
    envelope: Envelope,
    surface: Parameters<typeof refusals>[0]['surface'],
    more = {},
  ): readonly SampleAnswer[] {
    return refusals({ surface, envelope, request: this.request(path), more });
  }

  transport(path: string, envelope: Envelope, mediaType: string = MEDIA_TYPE.json) {
    return unreadable(envelope, this.request(path), mediaType);
  }

  /** The answers with the last word of the dialect. */
  spelled(path: string, answers: readonly SampleAnswer[]): readonly SampleAnswer[] {
    const { says } = this.service.dialect;
    if (says === undefined) return answers;
    return answers.map((answer) => ({
      ...answer,
      response: Promise.resolve(answer.response).then((response) =>
        says(response, this.request(path)),
      ),
    }));
  }
}
