import { z } from 'zod'
import { normalUrl } from '../../kernel/public-url.ts'

interface GroupInternals<Shape extends z.core.$ZodShape> extends z.core.$ZodTypeInternals {
  readonly output: z.core.$InferObjectOutput<Shape, z.core.$strict['out']>
  readonly input: z.core.$InferObjectInput<Shape, z.core.$strict['in']> | undefined
  readonly optin: 'optional'
}

/**
 * The type of a group of options, all of which have defaults. It keeps the documentation of its keys, and does not name the classes
 * of zod: each of their methods would be a type that every host pays for.
 */
export interface Group<Shape extends z.core.$ZodShape> extends z.core.$ZodType {
  readonly _zod: GroupInternals<Shape>
}

/** Creates a group of options. */
export const group = <Shape extends z.core.$ZodShape>(shape: Shape): Group<Shape> =>
  // The type of a generic shape cannot express that each of its keys has a default.
  z.strictObject(shape).prefault({} as never) as unknown as Group<Shape>

/** An implementation of a port: an object with these methods. */
export const port = <Port extends object>(...methods: (keyof Port & string)[]) =>
  z.custom<Port>(
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      methods.every((method) => typeof (value as Record<string, unknown>)[method] === 'function'),
    { error: `Needs ${methods.join('(), ')}()` },
  )

/** A function. */
export const callback = <Type>() =>
  z.custom<Type>((value) => typeof value === 'function', { error: 'Must be a function' })

/** A list whose items have distinct keys. */
export const distinct = <Item extends z.core.SomeType>(
  item: Item,
  keyOf: (value: z.output<Item>) => unknown,
  error: string,
) => z.array(item).refine((values) => new Set(values.map(keyOf)).size === values.length, error)

/** The http or https URL of a site, brought into its normal form. */
export const origin = z.url({ protocol: /^https?$/ }).transform((text, context) => {
  const normal = normalUrl(text)
  if ('url' in normal) return normal.url
  context.addIssue(normal.problem)
  return z.NEVER
})

/** An origin of pages, brought into the form in which browsers send it. */
export const webOrigin = origin.refine(
  (url) => new URL(url).origin === url,
  'Must be an origin without a path, such as https://app.example',
)

/** An http or https URL, in its normal form. */
export const pageUrl = z.url({ protocol: /^https?$/ }).transform((text) => new URL(text).href)

/** An http or https URL in its normal form, or a path on this origin. */
export const pageAddress = z.string().transform((text, context) => {
  if (/^\/(?![/\\])[^\s"<>\\]*$/.test(text)) return text
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text).href
  context.addIssue('Must be a URL that starts with http:// or https://, or a path such as /imprint')
  return z.NEVER
})
