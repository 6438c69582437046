import { describeWithProgram } from './on-path.ts';

/**
 * A `describe` for tests that run Python. Without one it is skipped and says so; with
 * AGENT_AUTH_REQUIRE_PYTHON=1 that is an error.
 */
export function describeWithPython(name: string, body: (executablePath: string) => void): void {
  describeWithProgram({ label: 'Python', variable: 'PYTHON', names: ['python3'] }, name, body);
}
