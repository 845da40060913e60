import { z } from 'zod'
import { CHART_METRICS, METRICS } from './figures.ts'
import { INTERVALS } from './intervals.ts'

export const analyticsParams = z.object({ id: z.coerce.number().int().min(1) })

const time = z.iso.datetime({ offset: true }).transform((text) => new Date(text))

const period = {
  from: time.optional().meta({
    description: 'Rounded down to a full interval. Default: 24 hours, 30 days, 12 weeks or 12 months before `to`',
  }),
  to: time.optional().meta({ description: 'Until before this time, rounded up. Default: now' }),
  interval: z.enum(INTERVALS).default('day').meta({ description: 'In UTC; weeks begin on Monday' }),
}

export const analyticsQuery = z.object({
  ...period,
  metric: z
    .string()
    .max(256)
    .transform((text) => text.split(',').map((name) => name.trim()))
    .pipe(z.array(z.enum(METRICS)).min(1).max(METRICS.length))
    .optional()
    .meta({ description: `The metrics to return, separated by commas: ${METRICS.join(', ')}. Default: all` }),
})

export const chartQuery = z.object({ ...period, metric: z.enum(CHART_METRICS).default('views') })

const count = z.int()
const clients = z.object({ human: count, agent: count, bot: count })
const revenue = z
  .array(
    z.object({
      rail: z.string(),
      network: z.string(),
      asset: z.string(),
      currency: z.string(),
      sales: count,
      gross: z.string().meta({ description: 'An integer of the smallest unit' }),
    }),
  )
  .nullable()
  .meta({ description: 'Null for roles that may not read payments' })

const figures = {
  views: count.optional(),
  visitors: count
    .optional()
    .meta({ description: 'Each visitor is counted once an hour in figures by hour, otherwise once a day' }),
  clients: clients.optional(),
  challenges: count.optional().meta({ description: 'The number of 402 responses' }),
  checkouts: count
    .optional()
    .meta({ description: 'Pages for payment that were opened, and requests that presented a payment' }),
  payments: count.optional(),
  revenue: revenue.optional(),
  followers: count.optional().meta({ description: 'Followers that were added in the interval and still follow' }),
}

const moment = z.iso.datetime()
const list = <Shape extends z.ZodRawShape>(shape: Shape) => z.array(z.object({ ...shape, count })).optional()

export const analyticsSchema = z
  .object({
    profile_id: z.int(),
    from: moment,
    to: moment,
    interval: z.enum(INTERVALS),
    totals: z.object({
      ...figures,
      conversion: z
        .number()
        .nullable()
        .optional()
        .meta({ description: 'Payments divided by 402 responses; null without a 402' }),
      all_followers: count.optional(),
    }),
    series: z.array(z.object({ at: moment, ...figures })),
    formats: list({ format: z.string() }),
    channels: list({ channel: z.string().meta({ description: '`http`, or `mcp` for reads through the MCP server' }) }),
    pages: list({ path: z.string().meta({ description: 'Below the profile; `/` is the profile itself' }) }),
    paywalls: list({ path: z.string() }),
    referrers: list({ host: z.string() }),
    countries: list({ country: z.string() }),
    search_terms: list({ query: z.string() }),
  })
  .meta({ id: 'Analytics' })

export const liveAnalyticsSchema = z
  .object({
    profile_id: z.int(),
    from: moment,
    to: moment,
    views: count,
    visitors: count,
    challenges: count,
    clients,
    pages: z.array(z.object({ path: z.string(), count })),
    minutes: z.array(z.object({ at: moment, views: count })),
  })
  .meta({ id: 'LiveAnalytics' })
