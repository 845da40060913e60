import { callerOf } from '../../../http/pipeline/request-context.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import type { PlanTable } from '../../../model/plan.ts'
import type { MemoryService } from '../../insight/memory/index.ts'
import type { MyProfiles } from '../../profiles/profiles/index.ts'
import type { MediaService } from '../../publishing/media/index.ts'
import { usageSchema } from './schemas.ts'
import { serializeUsage } from './serialize.ts'

export interface UsageServices {
  readonly myProfiles: MyProfiles
  /** Without the module `media` the usage of minutes is 0. */
  readonly media?: Pick<MediaService, 'minutesUsed'> | undefined
  /** Without the module `memory` the usage of memory is 0. */
  readonly memory?: Pick<MemoryService, 'useOf'> | undefined
}

const NO_MINUTES = { used: 0, reserved: 0 }
const NO_MEMORY = { sessions: 0, entries: 0, bytes: 0 }

/** Routes of limits and usage. */
export function usageRoutes(app: EepRoutes, { myProfiles, media, memory }: UsageServices, planLimits: PlanTable): void {
  app.get(
    '/manage/limits',
    {
      config: routeConfig({
        auth: 'bearer',
        appScope: 'read:profiles',
        tag: 'profiles',
        operationId: 'getLimits',
        summary: 'Get the limits and usage of the account',
      }),
      schema: { response: { 200: usageSchema } },
    },
    async (request) => {
      const caller = callerOf(request)
      const { account } = caller
      const [use, minutes, memoryUse] = await Promise.all([
        myProfiles.use(caller),
        media?.minutesUsed(account.id) ?? NO_MINUTES,
        memory?.useOf(account.id) ?? NO_MEMORY,
      ])
      return serializeUsage(planLimits(account.tier), use, minutes, memoryUse)
    },
  )
}
