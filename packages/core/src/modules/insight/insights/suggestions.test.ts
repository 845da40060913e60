import { expect, it } from 'vitest'
import { medianPrice, suggest } from './suggestions.ts'

const paywall = (changes: object = {}) => ({
  path: '/content/x',
  agents: 12,
  refusals: 14,
  readers: 0,
  provenBots: 0,
  payingBots: 0,
  medianPrice: '0.05 USD',
  ...changes,
})
const rulesOf = (input: Parameters<typeof suggest>[0]) => suggest(input).map(({ rule }) => rule)

it('names the paywalls that agents left, with the median offer', () => {
  const [first] = suggest({ paywalls: [paywall()], queries: [], reads: 5, sales: 1 })
  expect(first).toEqual({
    rule: 'paywall_left',
    path: '/content/x',
    agents: 12,
    message: '12 agents met the paywall of /content/x and left: median offer 0.05 USD',
  })
})

it('does not count agents that read what they were refused first', () => {
  const paywalls = [paywall({ readers: 10 })]
  expect(rulesOf({ paywalls, queries: [], reads: 5, sales: 1 })).toEqual([])
})

it('suggests another price when no agent paid', () => {
  const paywalls = [paywall({ agents: 2 })]
  expect(rulesOf({ paywalls, queries: [], reads: 5, sales: 0 })).toEqual(['price_never_paid'])
  expect(rulesOf({ paywalls, queries: [], reads: 5, sales: 1 })).toEqual([])
})

it('suggests no price because of payments that must not be shown', () => {
  const paywalls = [paywall({ agents: 2 })]
  expect(rulesOf({ paywalls, queries: [], reads: 5, sales: null })).toEqual([])
})

it('counts proven bots that met a price, and those that paid', () => {
  const paywalls = [paywall({ agents: 3, readers: 3, provenBots: 12, payingBots: 3 })]
  expect(suggest({ paywalls, queries: [], reads: 5, sales: 1 })).toEqual([
    { rule: 'price_met_by_bots', path: '/content/x', agents: 12, message: '12 proven bots met this price; 3 paid' },
  ])
  const hidden = [paywall({ readers: 12, provenBots: 12, payingBots: null })]
  expect(rulesOf({ paywalls: hidden, queries: [], reads: 5, sales: null })).toEqual([])
})

it('names the query of agents that found the profile and read nothing', () => {
  const queries = [{ query: 'looms', agents: 3 }]
  expect(rulesOf({ paywalls: [], queries, reads: 0, sales: 0 })).toEqual(['found_not_read'])
  expect(rulesOf({ paywalls: [], queries, reads: 1, sales: 0 })).toEqual([])
})

it.each([
  [[['0.05 USDC', 1]], '0.05 USDC'],
  [
    [
      ['0.1 USDC', 3],
      ['0.01 USDC', 1],
      ['5 USD', 3],
    ],
    '0.1 USDC',
  ],
  [
    [
      ['1 USD', 1],
      ['2 USD', 1],
      ['9 USD', 1],
    ],
    '2 USD',
  ],
  [[['', 4]], null],
  [[], null],
] as const)('finds the median of %j: %s', (offers, median) => {
  expect(medianPrice(offers.map(([price, count]) => ({ price, count })))).toBe(median)
})
