import { defineError } from '../../../kernel/errors.ts'

export const pageWithCursor = defineError('page_with_cursor', 400, 'Use either page or cursor')
