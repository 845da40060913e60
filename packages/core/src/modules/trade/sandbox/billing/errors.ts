import { defineError } from '../../../../kernel/errors.ts'

export const planPageNotFound = defineError('sandbox_plan_not_found', 404, 'This test checkout was not found')
