import { describe } from 'vitest';
import { serviceCases } from './cases.ts';
import { itIsCaughtAtService } from './it-is-caught.ts';

describe('a fault of the mock service', () => itIsCaughtAtService(serviceCases('cross-app')));
