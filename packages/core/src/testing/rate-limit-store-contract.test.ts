import * as vitest from 'vitest'
import { memoryRateLimits } from '../runtime/rate-limits/memory-rate-limits.ts'
import { rateLimitStoreContract } from './rate-limit-store-contract.ts'

rateLimitStoreContract(vitest, memoryRateLimits)
