import { describe, expect, it } from 'vitest'
import { AGENT_WEIGHTS, agentTrust, PROFILE_WEIGHTS, type ProfileTrustInput, profileTrust } from './trust-score.ts'

const NOW = new Date('2026-08-08T08:08:08.008Z')
const daysAgo = (days: number) => new Date(NOW.getTime() - days * 86_400_000)
const sum = (weights: Readonly<Record<string, number>>) => Object.values(weights).reduce((all, one) => all + one, 0)

const nothing: ProfileTrustInput = {
  emailVerified: false,
  walletLinked: false,
  providerLinked: false,
  accountCreatedAt: NOW,
  profileComplete: false,
  hasPaid: false,
}
const everything: ProfileTrustInput = {
  emailVerified: true,
  walletLinked: true,
  providerLinked: true,
  accountCreatedAt: daysAgo(365),
  profileComplete: true,
  hasPaid: true,
}

describe('the trust in a profile', () => {
  it('goes from 0 to 100', () => {
    expect([sum(PROFILE_WEIGHTS), sum(AGENT_WEIGHTS)]).toEqual([100, 100])
    expect(profileTrust(nothing, NOW)).toMatchObject({ score: 0, level: 'low' })
    expect(profileTrust(everything, NOW)).toMatchObject({ score: 100, level: 'high' })
  })

  it.each([
    ['emailVerified', 'email_verified'],
    ['walletLinked', 'wallet_linked'],
    ['providerLinked', 'provider_linked'],
    ['profileComplete', 'profile_complete'],
    ['hasPaid', 'has_paid'],
  ] as const)('counts %s by its weight', (fact, signal) => {
    const { score, signals } = profileTrust({ ...nothing, [fact]: true }, NOW)
    expect(score).toBe(PROFILE_WEIGHTS[signal])
    expect(signals.filter(({ met }) => met)).toEqual([{ signal, weight: PROFILE_WEIGHTS[signal], met: true }])
  })

  it.each([
    [29.99, 0],
    [30, 10],
    [364.99, 10],
    [365, 20],
    [-1, 0],
  ])('gives an account of %d days %d', (days, score) => {
    expect(profileTrust({ ...nothing, accountCreatedAt: daysAgo(days) }, NOW).score).toBe(score)
  })

  it.each([
    [{ walletLinked: true }, 'low'],
    [{ emailVerified: true }, 'basic'],
    [{ emailVerified: true, hasPaid: true, providerLinked: true }, 'established'],
    [{ ...everything, emailVerified: false }, 'high'],
    [{ ...everything, emailVerified: false, walletLinked: false }, 'established'],
  ] as const)('has the level of its score: %j', (fields, level) => {
    expect(profileTrust({ ...nothing, ...fields }, NOW).level).toBe(level)
  })
})

describe('the trust in an agent that signs', () => {
  it.each([
    ['did:key:z6Mk', false, 40],
    ['did:web:agent.example', false, 65],
    ['did:key:z6Mk', true, 75],
    ['did:web:agent.example', true, 100],
  ])('%s that has paid: %s', (did, hasPaid, score) => {
    expect(agentTrust({ did, hasPaid }).score).toBe(score)
  })
})
