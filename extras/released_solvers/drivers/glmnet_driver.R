# R's glmnet behind the protocol of docs/ports.md: RSS/(2n), or minus the mean log-likelihood, + lambda ((1 - alpha)/2 ||w||^2 + alpha ||w||_1),
# which is P with lambda = lam + l1, alpha = l1/(lam + l1); without intercept and standardization. The gaussian family takes the targets as
# of mean square 1 where lambda ||w||^2 is meant: as its help page advises, it is given y/s, s^2 = ||y||^2/n, with l1/s, and w/s comes back.
suppressMessages({library(jsonlite); library(glmnet)})
setting <- commandArgs(trailingOnly = TRUE)[1]
number <- function(t) readBin(as.raw(strtoi(substring(t, seq(1, 15, 2), seq(2, 16, 2)), 16L)), "double", endian = "big")
spelled <- function(x) paste(as.character(writeBin(x, raw(), endian = "big")), collapse = "")
numbers <- function(l) vapply(l, number, 0)
hexes <- function(v) as.list(vapply(v, spelled, ""))
solve_one <- function(given) {
  p <- given$problem; y <- numbers(p$y); X <- matrix(0, p$n, p$d)
  starts <- unlist(p$starts); columns <- unlist(p$columns); values <- numbers(p$values)
  for (i in seq_len(p$n)) for (k in seq_len(starts[i + 1] - starts[i])) X[i, columns[starts[i] + k] + 1] <- values[starts[i] + k]
  lam <- number(p$lam); l1 <- number(p$l1); scale <- 1
  if (length(y) != p$n || !all(is.finite(X)) || !all(is.finite(y)) || !is.finite(lam) || lam <= 0) return(list(error = "no problem"))
  if (setting == "gaussian" && any(y != 0)) { scale <- sqrt(mean(y^2)); y <- y / scale; l1 <- l1 / scale }
  strength <- lam + l1
  if (p$d == 1) X <- cbind(X, 0)                 # glmnet asks for two columns
  more <- if (is.null(given$tol)) list() else list(thresh = number(given$tol))
  said <- NULL; before <- proc.time()[[1]]
  fit <- withCallingHandlers(
    do.call(glmnet, c(list(X, if (setting == "gaussian") y else factor(y, levels = c(-1, 1)), family = setting, alpha = l1 / strength, lambda = strength,
                           intercept = FALSE, standardize = FALSE), more)),
    warning = function(w) { said <<- c(said, conditionMessage(w)); invokeRestart("muffleWarning") })
  converged <- fit$jerr == 0 && !any(grepl("onverge", said))
  list(result = list(w = hexes(scale * as.numeric(fit$beta)[seq_len(p$d)]), converged = converged, iterations = fit$npasses,
                     seconds = spelled(proc.time()[[1]] - before), says = setNames(list(), character(0))))
}
input <- file("stdin", "r")
while (length(line <- readLines(input, n = 1)) > 0) {
  asked <- fromJSON(line, simplifyVector = FALSE)
  if (asked$op == "stop") break
  answer <- switch(asked$op,
    start = list(protocol = 1, name = paste0("glmnet-", setting), language = R.version.string, version = as.character(packageVersion("glmnet"))),
    echo = list(numbers = hexes(numbers(asked$numbers))),
    solve = tryCatch(solve_one(asked$given), error = function(e) list(error = conditionMessage(e))),
    list(skipped = "unknown"))
  cat(toJSON(c(list(seq = asked$seq), answer), auto_unbox = TRUE, digits = NA), "\n", sep = "")
  flush(stdout())
}
