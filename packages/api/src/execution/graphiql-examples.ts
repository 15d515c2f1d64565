/** An operation in one of GraphiQL's tabs. */
export interface Example {
  query: string;
  variables?: object;
  /** Whether it is for the second operator, who approves the first one's request. */
  asApprover?: boolean;
}

const dayMs = 24 * 60 * 60 * 1_000;

/** Typical operations of an operator's day, ready to run on a sandbox's demo merchants. `now` in Unix milliseconds. */
export function graphiqlExamples(now: number): Example[] {
  const startOfDay = now - (now % dayMs);
  const today = new Date(startOfDay).toISOString();
  const [merchantId, count] = ['IN10001', Math.floor(now / 1_000)];
  return [
    { query: newestOrder },
    { query: ordersOfToday, variables: { today } },
    {
      query: dashboard,
      variables: {
        input: {
          period: 'TODAY',
          timeZone: 'Asia/Kolkata',
          by: ['COUNTRY', 'KIND'],
          withTimes: true,
          compareWith: 'DAY_BEFORE',
        },
      },
    },
    {
      query: topUpWallet,
      variables: {
        input: { merchantId, bookingNo: `TOP-UP-${count}`, amount: '500.00', remark: 'bank transfer' },
        reason: 'money came in at the bank',
      },
    },
    {
      query: adjustWallet,
      variables: {
        input: { merchantId, bookingNo: `ADJUST-${count}`, kind: 'BANK', amount: '12000.00', remark: 'correction' },
        reason: 'booked to the wrong merchant',
      },
    },
    { query: pendingApprovals, asApprover: true },
    { query: approve, variables: { approvalId: 'AP…' }, asApprover: true },
    { query: liveOrders },
    { query: queues },
  ];
}

const newestOrder = `# The newest order, with everything that happened to it.
# For a certain one: order(orderNo: "PI…"), or orders(first: 1, filter: { merchantOrderNo: "…" }).
query NewestOrder {
  orders(first: 1) {
    edges {
      node {
        orderNo
        merchantOrderNo
        kind
        status
        amount
        currency
        merchant {
          merchantId
          name
        }
        timeline(first: 50) {
          edges {
            node {
              __typename
              at
              ... on OrderMoved {
                from
                to
                trigger
              }
              ... on ChannelCalled {
                channelId
                operation
                outcome
                durationMs
              }
              ... on WalletChanged {
                entry {
                  type
                  availableChange
                  frozenChange
                }
              }
              ... on NotificationAttempted {
                status
                attempt {
                  httpStatus
                  error
                  durationMs
                }
              }
            }
          }
        }
      }
    }
  }
}
`;

const ordersOfToday = `query OrdersOfToday($today: DateTime!, $after: String) {
  orders(first: 20, after: $after, filter: { createdFrom: $today }) {
    edges {
      node {
        orderNo
        merchantId
        kind
        status
        amount
        feeAmount
        currency
        createdAt
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
`;

const dashboard = `query Dashboard($input: FiguresInput!) {
  figures(input: $input) {
    from
    to
    groups {
      country
      kind
      currency
      orders
      amount
      completed
      completedAmount
      successRate
      feeRevenue
      p50Ms
      p95Ms
    }
    failures(first: 10) {
      status
      trigger
      message
      currency
      orders
    }
    comparison {
      from
      to
      groups {
        country
        kind
        currency
        orders
        completedAmount
        successRate
      }
    }
  }
}
`;

const topUpWallet = `# The same bookingNo again changes nothing.
mutation TopUpWallet($input: TopUpWalletInput!, $reason: String!) {
  topUpWallet(input: $input, reason: $reason) {
    ... on TopUpWalletPayload {
      alreadyBooked
      wallet {
        merchantId
        available
        frozen
        currency
      }
    }
    ... on Problem {
      reason
      message
    }
  }
}
`;

const adjustWallet = `# Above the approval limit a second operator has to approve it: see the two tabs behind this one.
mutation AdjustWallet($input: AdjustWalletInput!, $reason: String!) {
  adjustWallet(input: $input, reason: $reason) {
    ... on AdjustWalletPayload {
      wallet {
        available
        currency
      }
      approval {
        approvalId
        state
        expiresAt
      }
    }
    ... on Problem {
      reason
      message
    }
  }
}
`;

const pendingApprovals = `# What waits for a second operator, whose token this tab has.
query PendingApprovals {
  approvals(first: 20, filter: { states: [PENDING] }) {
    edges {
      node {
        approvalId
        operation
        subject
        input
        requestedBy
        reason
        expiresAt
      }
    }
  }
}
`;

const approve = `# As the second operator. Put the approvalId of a pending approval into the variables.
mutation Approve($approvalId: String!) {
  approve(approvalId: $approvalId) {
    ... on Approval {
      operation
      state
      decidedBy
      outcome
    }
    ... on Problem {
      reason
      message
    }
  }
}
`;

const liveOrders = `# Orders as they move, for as long as this runs. In another terminal: npm run demo
subscription LiveOrders {
  orderChanged {
    orderNo
    merchantId
    kind
    status
    amount
    currency
    updatedAt
  }
}
`;

const queues = `query Queues {
  queues {
    name
    waiting
    active
    delayed
    oldestWaitingMs
  }
}
`;
