import type { Random, Sleep } from '../../runtime/index.ts';
import type { Death } from '../engine/death-watch.ts';
import { shown } from '../engine/judge.ts';
import type { Answer } from '../http/answer.ts';
import type { HttpClient } from '../http/http-client.ts';
import type { Begun, Recorder } from '../http/recorder.ts';
import { openJwt } from '../jwt/open.ts';
import type { Visitor } from '../pages/visitor.ts';
import type { TargetControl } from '../target/http-control.ts';
import type { TargetTime } from '../target/target-time.ts';
import type { SignInMeans } from '../user/sign-in-means.ts';
import type { Users } from '../user/users-of.ts';
import type { CrossAppGiven, IdTokenCommand } from './cross-app/given.ts';
import type { ProviderFacts } from './provider-facts.ts';
import type { ProviderUser } from './sign-in.ts';
import type { Breaking } from './steps/rows.ts';
import type { TestServices } from './test-services.ts';

interface WrongAudience {
  readonly seen: string;
  readonly request: Begun | undefined;
}

/** The others have the same cause. */
const MOST = 3;

/** Whom the ID-JAGs of a run are for. */
export class MintedAudiences {
  readonly wrong: WrongAudience[] = [];
  count = 0;

  /** Looks at an answer that may have an ID-JAG for an audience. */
  note(answer: Answer, audience: string, recorder: Recorder): void {
    const token = answer.string('access_token');
    if (token === undefined) return;
    this.count += 1;
    const { aud } = openJwt(token)?.claims ?? { aud: audience };
    const [first, ...others] = [aud].flat();
    if (first === audience && others.length === 0) return;
    if (this.wrong.length >= MOST) return;
    const seen = `aud: ${shown(aud)} for the audience ${audience}`;
    this.wrong.push({ seen, request: recorder.begun(answer.exchange) });
  }
}

/** Prints an ID-JAG of a user who has consented to a service, or lets the user consent. */
type MintCommand = (email: string, asked: { readonly audience: string }) => Promise<string>;

/** What the scenarios of a run share. */
export interface ProviderRun extends Users {
  /** How the provider died so far. */
  readonly deaths: readonly Death[];
  readonly facts: ProviderFacts;
  readonly http: HttpClient;
  readonly services: TestServices;
  readonly time: TargetTime;
  readonly random: Random;
  readonly sleep: Sleep;
  readonly control: TargetControl | undefined;
  readonly clientId: string;
  /** What cross-app access is judged with; undefined: no client was named. */
  readonly crossApp: CrossAppGiven | undefined;
  /** The services that the provider mints for; undefined: any below the suite's base URL. */
  readonly audiences: readonly string[] | undefined;
  /** Obtains ID tokens where the provider has no device authorization. */
  readonly idTokenCommand: IdTokenCommand | undefined;
  /** Mints by the provider's own API, where it has no token exchange. */
  readonly mintCommand: MintCommand | undefined;
  /** The page where a user revokes consents. */
  readonly consentsUri: string | undefined;
  /** How long to wait for an event. Milliseconds. */
  readonly deliveryWindow: number;
  /** How long the provider may keep an idle connection. Milliseconds. */
  readonly connectionLimit: number;
  /** What was seen of it: what it has minted, for whom, and whether it breaks where it should refuse. */
  readonly history: { readonly audiences: MintedAudiences; readonly breaking: Breaking };
  makeUser(visit: () => Visitor, means: SignInMeans): ProviderUser;
}
