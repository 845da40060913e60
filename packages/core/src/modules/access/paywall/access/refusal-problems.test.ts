import { describe, expect, it } from 'vitest'
import { internalError } from '../../../../kernel/errors.ts'
import { railUnavailable, settlementPending } from '../../../../ports/payment-rail.ts'
import { accessForbidden, paymentRequired, proofReplayed } from '../errors.ts'
import { isAboutAccess, refusalProblem } from './refusal-problems.ts'

const refused = (reason: string, others = {}) => paymentRequired({ details: { reason, ...others } })

describe('the text for people of a payment that was refused', () => {
  it('explains the reason codes of the rails, and states that nothing was charged', () => {
    expect(refusalProblem(refused('invalid_exact_evm_insufficient_balance'), {})).toMatch(
      /balance .* Nothing was charged/,
    )
    expect(refusalProblem(refused('payment_expired'), { language: 'de' })).toMatch(/zu spät.*nichts abgebucht/)
    expect(refusalProblem(refused('invalid_exact_evm_signature'), { language: 'ar' })).toContain('توقيعها غير صالح')
  })

  it('shows a general sentence for an unknown reason, without its code', () => {
    for (const language of ['en', 'de', 'ja', 'ar']) {
      const text = refusalProblem(refused('card_velocity_exceeded'), { language })
      expect(text).toBe(refusalProblem(refused('another_reason'), { language }))
      expect(text).not.toMatch(/_|velocity/)
    }
  })

  it('does not say that nothing was charged when the money of the payment has moved', () => {
    for (const reason of ['invalid_payload', 'payment_expired']) {
      const text = refusalProblem(refused(reason, { already_settled: true }), {})
      expect(text).toBe('This payment was used before. You were not charged again.')
    }
    expect(refusalProblem(settlementPending(), {})).toMatch(/Do not pay again/)
  })

  it('does not call a sign-in with a wallet a payment', () => {
    expect(refusalProblem(refused('invalid_siwx_signature'), {})).toBe(
      'The wallet could not be verified. Sign in with it again.',
    )
  })
})

it('leaves errors that are not about access to the common page of errors', () => {
  expect([paymentRequired(), accessForbidden(), railUnavailable(), proofReplayed()].map(isAboutAccess)).toEqual(
    Array.from({ length: 4 }, () => true),
  )
  expect(isAboutAccess(internalError())).toBe(false)
})
