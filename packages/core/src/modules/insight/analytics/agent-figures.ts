import type { AgentSales, BotSales } from '../../../ports/storage/analytics.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import { readAgentKey } from './agent-names.ts'
import { type AgentAction, agentMetrics } from './figures.ts'

/** The maximum number of figures that are read of an action. */
const MAX_FIGURES = 2_000

/** A profile and a time. */
export interface FiguresPeriod {
  readonly profileId: number
  readonly from: Date
  readonly to: Date
}

/** Something that an agent did, and how often. */
export interface AgentActivity {
  readonly agent: string
  /** What the action names: a path, a price, a query. */
  readonly parts: readonly string[]
  readonly count: number
}

/** The figures about agents, which the module `insights` shows. */
export const createAgentFigures = ({ analytics }: Pick<Readers<'analytics'>, 'analytics'>) => ({
  /** What agents did, proven or claimed. */
  async activity(period: FiguresPeriod, action: AgentAction): Promise<readonly AgentActivity[]> {
    const figures = await Promise.all(
      agentMetrics(action).map((metric) => analytics.top({ ...period, metric, limit: MAX_FIGURES })),
    )
    return figures.flat().flatMap(({ key, count }) => {
      const found = readAgentKey(key)
      return found ? [{ ...found, count }] : []
    })
  },

  /** The sales to agents, by their DID. */
  sales: (period: FiguresPeriod): Promise<readonly AgentSales[]> =>
    analytics.agentSales({ ...period, limit: MAX_FIGURES }),

  /** The sales to programs whose operator signed the request. */
  botSales: (period: FiguresPeriod): Promise<readonly BotSales[]> =>
    analytics.botSales({ ...period, limit: MAX_FIGURES }),
})

export type AgentFigures = ReturnType<typeof createAgentFigures>
