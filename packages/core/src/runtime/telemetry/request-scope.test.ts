import { expect, it } from 'vitest'
import type { Caller } from '../../model/caller.ts'
import { createRequestScope } from './request-scope.ts'

it('knows the app of the account that calls, of no other account, and of none outside of requests', () => {
  const scope = createRequestScope()
  let caller: Caller | undefined
  const app = { connectionId: '1', name: 'Claude', checkedAt: new Date(), spender: '', limits: {}, onLimitReached() {} }
  scope.run({ requestId: '1', caller: () => caller }, () => {
    expect(scope.actingApp('ada')).toBeNull()
    // The scope reads the account and the app only.
    caller = { account: { id: 'ada' }, app } as unknown as Caller
    expect(scope.actingApp('ada')).toEqual({ name: 'Claude', host: null })
    expect(scope.actingApp('bert')).toBeNull()
  })
  expect(scope.actingApp('ada')).toBeNull()
})
