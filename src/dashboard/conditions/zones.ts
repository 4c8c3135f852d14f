export const ZONES = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])];
