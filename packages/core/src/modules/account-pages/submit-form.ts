import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { sendPage } from '../../http/forms.ts'
import type { HtmlView } from '../../http/html/view.ts'
import { readForm, refusedForm } from './read-form.ts'
import type { FormState } from './sign-in.pages.ts'
import { goTo } from './visits.ts'

/** A form that was sent. */
export interface SubmittedForm<Values> {
  /** The schema of the JSON route with the same effect. */
  readonly schema: z.ZodType<Values>
  /** The texts of the form by the names of the schema. */
  readonly texts: Readonly<Record<string, string | undefined>>
  /** Performs the action of the form. */
  readonly submit: (values: Values) => void | Promise<void>
  /** Returns the page of the form with what went wrong. `error` is what `submit` threw, if it was called. */
  readonly page: (problem: FormState, error?: unknown) => HtmlView
  /** The path to go to afterwards. */
  readonly next: string
}

/**
 * Checks a form and performs its action, then redirects to `next`. Sends the page of the form again when a value is not valid,
 * or when the action throws an error that people can act on.
 *
 * @throws other errors of the action
 */
export async function submitForm<Values>(
  request: FastifyRequest,
  reply: FastifyReply,
  { schema, texts, submit, page, next }: SubmittedForm<Values>,
): Promise<FastifyReply> {
  const { site } = request.eep
  const form = readForm(site, schema, texts)
  if (form.problem) return sendPage(request, reply, page(form.problem), 400)
  try {
    await submit(form.values)
  } catch (error) {
    const { answer, ...problem } = refusedForm(site, error)
    return sendPage(request, reply, page(problem, error), answer)
  }
  return goTo(request, reply, next)
}
