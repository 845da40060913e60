import type { TakeOverStep } from '../../../framework/module/context.ts'

/** Cancels every webhook of an account. */
export const cancelWebhooks: TakeOverStep<'webhooks'> = async (tx, _emit, accountId, at) => {
  await tx.webhooks.cancelOfAccount(accountId, at)
}
