import { InvalidArgumentError } from 'commander';
import { readNamingMember } from '../../conformance/service/steps/naming-members.ts';
import { readWriteRequest, type WriteRequest } from '../../conformance/service/write-request.ts';

/** For `--write-request`. */
export const collectWrites = (value: string, previous: readonly WriteRequest[] = []) => [
  ...previous,
  orInvalid(() => readWriteRequest(value)),
];

/** For `--naming-member`. */
export const collectNamingMembers = (value: string, previous: readonly string[] = []) => [
  ...previous,
  orInvalid(() => readNamingMember(value)),
];

/** What is wrong with a value is said of its option. */
function orInvalid<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw error instanceof TypeError ? new InvalidArgumentError(error.message) : error;
  }
}
