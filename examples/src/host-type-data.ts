import { type EepOptions, eep, serverOptions } from '@eep/core'
import Fastify from 'fastify'
import { z } from 'zod'

// #region schema
/** Additional members of products, next to `sku`, `brand`, `price` and `availability`. */
export const productExtras = z.object({
  weight_grams: z.int().min(1).optional().describe('With its packing'),
  materials: z.array(z.string().max(64)).max(20).optional(),
})
// #endregion

/** A host with additional fields for products. */
export async function createHost(options: Pick<EepOptions, 'storage' | 'secret'>) {
  const app = Fastify({ ...serverOptions })
  await app.register(eep, {
    publicUrl: 'https://api.example.com',
    ...options,
    // #region option
    profiles: { typeData: { product: productExtras } },
    // #endregion
  })
  return app
}

/** Returns the weight of a product, if it is known. */
export async function weightOf(app: Awaited<ReturnType<typeof createHost>>, username: string) {
  // #region read
  const product = await app.eep.profiles.find('product', username)
  const { weight_grams } = productExtras.parse(product.typeData)
  // #endregion
  return weight_grams
}
