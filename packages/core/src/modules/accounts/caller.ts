import type { Account } from './store.ts'

/** Who makes a request. */
export interface Caller {
  readonly account: Account
  /** How they proved it. */
  readonly via: 'bearer' | 'cookie' | 'key' | 'host'
  /** What an API key may do; sessions may do everything. */
  readonly scopes: readonly string[] | 'all'
  /** Always false for API keys. */
  readonly isAdmin: boolean
}
