import { wireProblem } from '../../mock/http/problems.ts';

/** `GET /oauth2/authorize`: published since clients cannot read the metadata without it. Nobody is redirected. */
export function refuseSignIn(): never {
  throw wireProblem('token', 'unauthorized_client', {
    description:
      'Nobody signs in here: a client redeems an ID-JAG of its identity provider at the token endpoint.',
  });
}
