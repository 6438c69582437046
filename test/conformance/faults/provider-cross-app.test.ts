import { describe } from 'vitest';
import { providerCases } from './cases.ts';
import { itIsCaughtAtProvider } from './it-is-caught.ts';

describe('a fault of the mock provider', () => itIsCaughtAtProvider(providerCases('cross-app')));
