import type { z } from 'zod'
import type { ProfileType } from '../profile-type.ts'
import { agentData } from './agent.ts'
import { assetData } from './asset.ts'
import { customData } from './custom.ts'
import { eventData } from './event.ts'
import { knowledgeData } from './knowledge.ts'
import { organizationData } from './organization.ts'
import { personData } from './person.ts'
import { placeData } from './place.ts'
import { productData } from './product.ts'

/** What `type_data` holds for each type. Everything in it is optional; what it does not name is refused. */
export const TYPE_DATA = {
  person: personData,
  organization: organizationData,
  place: placeData,
  asset: assetData,
  product: productData,
  knowledge: knowledgeData,
  agent: agentData,
  event: eventData,
  custom: customData,
} as const satisfies Record<ProfileType, z.ZodType>
