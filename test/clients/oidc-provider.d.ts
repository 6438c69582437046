/** As much as tests use of a package that brings no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface ProviderContext {
    body: unknown;
    status: number;
    readonly oidc: {
      readonly client: { readonly clientId: string };
      readonly params: Readonly<Record<string, string | undefined>>;
      readonly provider: Provider;
      readonly session: { readonly accountId: string };
    };
  }

  interface ProviderGrant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  interface Interaction {
    readonly grantId?: string;
    readonly params: Readonly<Record<string, unknown>>;
    readonly prompt: { readonly name: string };
    readonly session?: { readonly accountId: string };
  }

  type InteractionResult =
    | { readonly login: { readonly accountId: string } }
    | { readonly consent: { readonly grantId: string } };

  type Problem = new (description: string, scope?: string) => Error;

  export const errors: Readonly<
    Record<
      'AccessDenied' | 'InvalidGrant' | 'InvalidRequest' | 'InvalidScope' | 'InvalidTarget',
      Problem
    >
  >;

  export class Provider {
    constructor(issuer: string, configuration: object);
    readonly Client: { readonly prototype: { redirectUriAllowed(uri: string): boolean } };
    readonly Grant: {
      new (of: { clientId: string; accountId: string }): ProviderGrant;
      find(id: string): Promise<ProviderGrant | undefined>;
    };
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: InteractionResult,
    ): Promise<void>;
    registerGrantType(
      type: string,
      handler: (context: ProviderContext) => Promise<void>,
      parameters: readonly string[],
    ): void;
  }
}
