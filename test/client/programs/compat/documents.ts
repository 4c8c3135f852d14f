/** The documents that every program sends. The compiler holds them against the types of each generated client. */
export const ORDER = {
  data: {
    type: 'event',
    attributes: {
      metric: { data: { type: 'metric', attributes: { name: 'Placed Order' } } },
      profile: { data: { type: 'profile', attributes: { email: 'ada@example.com' } } },
      properties: { order_id: 'ord_5001' },
      value: 59.9,
    },
  },
} as const;

export const PROFILE = {
  data: { type: 'profile', attributes: { email: 'ada@example.com', first_name: 'Ada' } },
} as const;

export const INVALID = {
  data: {
    type: 'event',
    attributes: {
      metric: { data: { type: 'metric', attributes: { name: 'Visit' } } },
      profile: { data: { type: 'profile', attributes: { email: 'nobody' } } },
    },
  },
} as const;
