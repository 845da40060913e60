import { describe, expect, it } from 'vitest'
import { BASE_PERMISSIONS, createPermissionTable, may } from './permission.ts'

const quotes = { name: 'quotes', permissions: { 'quotes.edit': { role: 'editor', summary: 'Edit quotes' } } } as const

describe('the permissions of a service', () => {
  it('are those of its modules and of the modules that every service has', () => {
    const { actions } = createPermissionTable([quotes])
    const ofBase = Object.values(BASE_PERMISSIONS).flatMap((each) => Object.keys(each))
    expect([...actions].sort()).toEqual([...ofBase, 'quotes.edit'].sort())
  })

  it('let a role do what a lower one may, and an outsider nothing', () => {
    const permits = createPermissionTable([quotes]).may as (role: string | undefined, action: string) => boolean
    expect(['owner', 'admin', 'editor', 'viewer', undefined].map((role) => permits(role, 'quotes.edit'))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ])
  })

  it('let no role do what no module permits', () => {
    const permits = createPermissionTable([]).may as (role: string, action: string) => boolean
    expect(permits('owner', 'quotes.edit')).toBe(false)
  })

  it('decide about the base as the function without modules does', () => {
    const table = createPermissionTable([quotes])
    expect(table.may('admin', 'gates.edit')).toBe(may('admin', 'gates.edit'))
    expect(table.may('editor', 'gates.edit')).toBe(may('editor', 'gates.edit'))
  })
})
