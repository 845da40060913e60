import type { GateConfig } from '../../model/gate-config.ts'
import { ODD_TEXT } from './bench.ts'

/** A gate configuration with members of every kind. */
export const gateConfig = (label = ODD_TEXT): GateConfig => ({
  default_tier: 'public',
  tiers: {
    public: { requirements: [], access: ['profile.*'] },
    reader: {
      label,
      requirements: [
        { type: 'payment', amount: 0.01, currency: 'usd', per: 'day', x402: { enabled: true } },
        {
          type: 'combined',
          combine_mode: 'any',
          requirements: [
            { type: 'trust', min_score: 40 },
            { type: 'x-club', members: ['ada'], nested: { deep: [null, 1] } },
          ],
        },
      ],
      access: ['content.notes.*', 'content.engines'],
      rate_limit: { requests_per_minute: 10 },
      metadata: { color: 'blue', nothing: null },
    },
  },
  fallback_behavior: 'restrict',
})
